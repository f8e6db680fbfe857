// The board seen from the other side, and the names of its squares as text.

/** The height of the letters that the server draws, in units of the drawing, and the least that can be read, in pixels. */
const DRAWN = 12;
const READABLE = 10;

/** Turns a drawing half round, pieces and names upright. */
export function flip(picture: SVGElement): void {
  for (const level of picture.querySelectorAll('.level')) {
    const squares = [...level.querySelectorAll<SVGElement>('[data-square]')];
    const at = ({ dataset }: SVGElement) => `${dataset.x},${dataset.y}`;
    const corners = new Map(squares.map((square) => [at(square), corner(square)]));
    const [columns, rows] = [Math.max(...squares.map((s) => Number(s.dataset.x))), Math.max(...squares.map((s) => Number(s.dataset.y)))];
    const moves = new Map<string, [number, number]>();
    for (const square of squares) {
      const [x, y] = [Number(square.dataset.x), Number(square.dataset.y)];
      const [from, to] = [corners.get(`${x},${y}`), corners.get(`${columns - x},${rows - y}`)];
      if (from && to) {
        moves.set(at(square), [to[0] - from[0], to[1] - from[1]]);
      }
    }
    for (const square of squares) {
      const move = moves.get(at(square));
      if (move) {
        square.setAttribute('transform', `translate(${move[0]} ${move[1]})`);
      }
    }
    const first = corners.get('0,0');
    const last = corners.get(`${columns},${rows}`);
    if (first && last && picture.querySelectorAll('.level').length === 1) {
      const side = Math.abs(first[1] - last[1]) / Math.max(rows, 1) || Math.abs(first[0] - last[0]) / Math.max(columns, 1);
      const middle = [(first[0] + last[0] + side) / 2, (first[1] + last[1] + side) / 2];
      for (const arrow of picture.querySelectorAll('.arrow')) {
        arrow.setAttribute('transform', `rotate(180 ${middle[0]} ${middle[1]})`);
      }
    }
  }
}

/** Writes the names of files and ranks as text where those of the drawing are at the wrong ends, or too small to read. */
export function nameSquares(picture: SVGElement, isFlipped: boolean): void {
  const width = Number(picture.getAttribute('width'));
  const scale = picture.getBoundingClientRect().width / width;
  if (!(scale > 0) || (!isFlipped && scale * DRAWN >= READABLE)) {
    return;
  }
  picture.querySelectorAll('path.name').forEach((name) => name.remove());
  const size = Math.max(DRAWN, READABLE / scale);
  for (const level of picture.querySelectorAll('.level')) {
    const squares = [...level.querySelectorAll<SVGElement>('[data-square]')];
    const corners = new Map(squares.map((square) => [`${square.dataset.x},${square.dataset.y}`, corner(square)]));
    const end = [Math.max(...squares.map((s) => Number(s.dataset.x))), Math.max(...squares.map((s) => Number(s.dataset.y)))] as [number, number];
    writeNames(picture, level, corners, end, isFlipped, size);
  }
}

function corner(square: Element): [number, number] {
  const rect = square.querySelector('rect');
  return [Number(rect?.getAttribute('x')), Number(rect?.getAttribute('y'))];
}

function writeNames(
  picture: SVGElement,
  level: Element,
  corners: Map<string, [number, number]>,
  [columns, rows]: [number, number],
  isFlipped: boolean,
  size: number,
): void {
  const side = Number(level.querySelector('rect')?.getAttribute('width'));
  const write = (text: string, x: number, y: number) => {
    const name = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    name.textContent = text;
    name.setAttribute('class', 'written-name');
    name.setAttribute('font-size', `${size}`);
    name.setAttribute('x', `${x}`);
    name.setAttribute('y', `${y}`);
    name.setAttribute('aria-hidden', 'true');
    picture.append(name);
  };
  for (let x = 0; x <= columns; x++) {
    const place = corners.get(`${isFlipped ? columns - x : x},0`);
    if (place) {
      write(String.fromCharCode(97 + x), place[0] + side / 2, place[1] + side + size);
    }
  }
  for (let y = 0; y <= rows; y++) {
    const place = corners.get(`0,${isFlipped ? rows - y : y}`);
    if (place) {
      write(`${y + 1}`, place[0] - 3 - size * 0.4, place[1] + side / 2 + size * 0.35);
    }
  }
}
