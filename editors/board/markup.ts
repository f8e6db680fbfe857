// The elements of the page, without the scripts and styles that its host adds.

export const MARKUP = `<main hidden>
<header>
<h1 id="name">Board</h1>
<p id="state"></p>
<button id="trouble" class="link" title="Go to it in the text" hidden></button>
</header>
<div id="about"></div>
<div id="queries" role="group" aria-label="Questions of this puzzle"></div>
<div id="modes" role="radiogroup" aria-label="What a click on the board does">
<button data-mode="view" role="radio" title="Step through the answer">Look</button>
<button data-mode="edit" role="radio" title="Change the position">Edit</button>
<button data-mode="record" role="radio" title="Make moves, which are written as the answer">Record</button>
</div>
<label id="lines"><span>Line:</span> <select id="line"></select></label>
<p id="caption" aria-live="polite"></p>
<p id="verdict" role="status"></p>
<div id="palette" role="group" aria-label="Pieces" hidden></div>
<div id="boards"><div id="levels" role="radiogroup" aria-label="Levels" hidden></div><div id="board"></div></div>
<div id="left" role="group" aria-label="Defences that are left" hidden></div>
<div id="choose" role="group" aria-label="Which move?" hidden></div>
<div id="tools" role="group" aria-label="Board" hidden>
<button id="undo" title="Undo in the text (Ctrl+Z)">Undo</button>
<button id="flip" title="Turn the board round" aria-pressed="false">Flip</button>
<button id="clear" title="Remove all pieces">Clear</button>
<span id="side" role="radiogroup" aria-label="Side to move">To move:
<button data-side="white" role="radio">White</button>
<button data-side="black" role="radio">Black</button>
</span>
<span id="sizes">
<label>Columns <select id="columns"></select></label>
<label id="rows-label">Rows <select id="rows"></select></label>
</span>
<span id="castling" role="group" aria-label="Castling rights">Castling:</span>
</div>
<p id="notice" role="status"></p>
<div id="steps" role="group" aria-label="Steps">
<button id="first" title="First step (Home)" aria-label="First step">|◂</button>
<button id="previous" title="Previous step (Left)" aria-label="Previous step">◂</button>
<span id="step"></span>
<button id="next" title="Next step (Right)" aria-label="Next step">▸</button>
<button id="last" title="Last step (End)" aria-label="Last step">▸|</button>
</div>
<button id="hint" title="A hint that gives away little; the next one gives away more" hidden>Hint</button>
<section id="branch" hidden>
<h2 id="branch-title">Moves</h2>
<div id="choices" role="radiogroup" aria-labelledby="branch-title" title="Choose another move (Up, Down)"></div>
</section>
<p id="description"></p>
</main>
<p id="empty" role="status"></p>
<button id="new" hidden>New Puzzle…</button>`;
