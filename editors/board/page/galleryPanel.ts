// The page of the gallery in VS Code: the extension asks the server for what it shows.
import type { Drawing, FromGallery, GalleryState, ToGallery } from '../gallery';
import { Gallery } from './gallery';
import { byId } from './page';

declare function acquireVsCodeApi(): { postMessage(message: FromGallery): void; getState(): GalleryState | undefined; setState(state: GalleryState): void };

const editor = acquireVsCodeApi();
let state: GalleryState = editor.getState() ?? {};
const remember = (change: GalleryState) => editor.setState((state = { ...state, ...change }));

/** Boards that were asked for, by number. */
const asked = new Map<number, (drawing: Drawing | null | undefined) => void>();
let [lastId, version, hasShown] = [0, -1, false];

const gallery = new Gallery(
  byId('gallery'),
  {
    draw: ({ range }) => {
      const id = ++lastId;
      editor.postMessage({ kind: 'draw', id, version, range });
      return new Promise((done) => asked.set(id, done));
    },
    open: ({ range }) => editor.postMessage({ kind: 'open', version, range }),
    search: () => editor.postMessage({ kind: 'search' }),
    remember: (filter) => remember({ filter }),
  },
  state.filter,
);

window.addEventListener('message', ({ data }: MessageEvent<ToGallery>) => {
  if ('show' in data) {
    ({ version } = data.show);
    remember({ uri: data.show.uri });
    gallery.show(data.show);
    if (!hasShown) {
      hasShown = true;
      gallery.focus();
    }
  } else if ('nothing' in data) {
    gallery.showNothing(data.nothing);
  } else if ('line' in data) {
    gallery.mark(data.line);
  } else {
    asked.get(data.drawn)?.(data.drawing);
    asked.delete(data.drawn);
  }
});
editor.postMessage({ kind: 'ready' });
