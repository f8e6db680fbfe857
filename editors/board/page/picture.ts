// The board as a picture for the clipboard.

/** How many pixels of the picture are one of the drawing. */
const SCALE = 3;

/** The source of a drawing, with the colours that it has without the theme, and the promise of its pixels. */
export function pictureOf(svg: SVGElement): { source: string; png: Promise<Blob> } {
  const copy = svg.cloneNode(true) as SVGElement;
  copy.querySelectorAll('[tabindex]').forEach((square) => square.removeAttribute('tabindex'));
  const source = new XMLSerializer().serializeToString(copy);
  return { source, png: pixels(source, Number(svg.getAttribute('width')), Number(svg.getAttribute('height'))) };
}

async function pixels(source: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
}
