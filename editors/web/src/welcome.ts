// The examples of the menu.
import chess from '../../../examples/collection/tactics.cpz';
import cube from '../../../examples/collection/chess3d-sources.cpz';
import draughts from '../../../examples/collection/draughts.cpz';
import helpmates from '../../../examples/collection/helpmates.cpz';
import mistakes from '../../../examples/mistakes/problems.cpz';
import moves from '../../../examples/collection/chess-moves.cpz';
import solitaire from '../../../examples/collection/solitaire-sources.cpz';
import twoMovers from '../../../examples/collection/two-movers.cpz';
import { WELCOME } from './first';

export interface Example {
  label: string;
  detail: string;
  name: string;
  text: string;
}

export const EXAMPLES: Example[] = [
  { label: 'First steps', detail: 'one puzzle of Solitaire Chess', name: 'first-steps.cpz', text: WELCOME },
  { label: 'Solitaire Chess', detail: 'every move captures', name: 'solitaire.cpz', text: solitaire },
  { label: 'Mates in two', detail: 'problems by Loyd and others', name: 'two-movers.cpz', text: twoMovers },
  { label: 'Helpmates', detail: 'both sides work together', name: 'helpmates.cpz', text: helpmates },
  { label: 'Tactics', detail: 'lines from games', name: 'tactics.cpz', text: chess },
  { label: 'Legal or not', detail: 'moves of chess', name: 'chess-moves.cpz', text: moves },
  { label: 'Chess on a cube', detail: 'checkmate in three dimensions', name: 'chess3d.cpz', text: cube },
  { label: 'Draughts', detail: 'captures by the Russian rules', name: 'draughts.cpz', text: draughts },
  { label: 'Mistakes', detail: 'what cpz finds, and its fixes', name: 'mistakes.cpz', text: mistakes },
];
