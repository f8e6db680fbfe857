;;; cpz-mode.el --- Collections of chess puzzles  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages, games
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; Colours, comments and indentation for `.cpz' files, and the set-up of
;; Eglot for the language server:
;;
;;   (require 'cpz-mode)
;;   (add-hook 'cpz-mode-hook #'cpz-eglot-ensure)
;;
;; Eglot is part of Emacs since version 29; for Emacs 28 it is a package.

;;; Code:

(defgroup cpz nil
  "Collections of chess puzzles."
  :group 'languages)

(defcustom cpz-server-command '("cpz" "lsp")
  "The command that starts the server: a program and its arguments."
  :type '(repeat string))

(defcustom cpz-indent-offset 2
  "Columns of indentation for the items of a puzzle, and again for its rows."
  :type 'natnum
  :safe #'natnump)

;;; Words

(defconst cpz--games '("solitaire" "chess" "chess3d" "draughts")
  "The keywords that open puzzles.")

(defconst cpz--properties
  '("size" "origin" "turn" "castling" "en-passant" "solutions" "rules" "unique" "author" "source"
    "note" "hint" "difficulty" "id" "condition" "half-duplex" "zeroposition" "tags" "allow")
  "The keywords of properties.")

(defconst cpz--custom-regexp "\\_<x-[A-Za-z][A-Za-z0-9_-]*\\_>"
  "Matches the name of a custom property.")

(defconst cpz--queries
  '("solve" "count" "move" "mate" "selfmate" "selfstalemate" "reflexmate" "reflexstalemate"
    "semireflexmate" "semireflexstalemate" "helpmate" "helpstalemate" "helpselfmate"
    "helpselfstalemate" "seriesmate" "seriesstalemate" "serieshelpmate" "serieshelpstalemate"
    "seriesselfmate" "seriesselfstalemate" "twin" "set-play" "duplex" "win" "draw" "capture" "line")
  "The keywords of queries.")

(defconst cpz--short
  (concat "\\(?:[0-9]+->\\)?\\(?:exact-\\)?"
          "\\(?:semi-r\\|reci-h\\|p\\(?:ser-[srh]?\\|hser-[sr]?\\)\\|ser-\\(?:semi-r\\|h[sr]?\\|[sr]\\)?\\|h[sr]?\\|[sr]\\)?"
          "\\(?:\\(?:##!?\\|#=\\|==\\|!=\\|!#\\|[#=+x%~]\\|z\\(?:[a-h][1-8]\\)?\\|ep\\|ctr?\\|<>r?\\|00\\|dia\\)"
          "[0-9]+\\(?:\\.[0-9]+\\)?\\|z[a-h][1-8]\\)[*]?")
  "Matches the short form of a chess problem, without what is round it.")

(defconst cpz--short-regexp
  ;; No symbol begins with `='.
  (concat "\\(?:\\_<" cpz--short "\\|[ \t][+]-\\|[ \t]==?[0-9]+\\(?:\\.[0-9]+\\)?[*]?\\)\\_>")
  "Matches the short form of a chess problem.")

(defconst cpz--length-regexp
  "\\_<[a-z]*mate[ \t]+\\(in\\)\\_>\\(?:[ \t\n]+\\([0-9]+\\(?:\\.[0-9]+\\)?\\)\\_>\\)?"
  "Matches the question of a chess problem; the groups are `in' and the number.")

(defconst cpz--answers
  '("none" "true" "false" "legal" "illegal" "checkmate" "check" "stalemate")
  "The words that are answers; case is ignored.")

(defconst cpz--items-regexp
  (concat "[ \t]*\\(?:" (regexp-opt `("board" ,@cpz--properties ,@cpz--queries) 'symbols)
          "\\|" cpz--custom-regexp "\\|" cpz--short-regexp "\\|\\_<stalemate[ \t]+in\\_>\\)")
  "Matches from the start of a line to the keyword of an item of a puzzle.")

;;; Syntax

(defvar cpz-mode-syntax-table
  (let ((table (make-syntax-table)))
    ;; Most punctuation is part of words: rows, moves, FEN and URLs contain it.
    (dolist (char (string-to-list "!#$%&*+-./:;<?@\\^_`|~"))
      (modify-syntax-entry char "_" table))
    (modify-syntax-entry ?= "." table)
    (modify-syntax-entry ?> "." table)
    (modify-syntax-entry ?, "." table)
    (modify-syntax-entry ?\n ">" table)
    ;; `cpz--syntax-propertize' marks these by context.
    (dolist (char (string-to-list "\"'()"))
      (modify-syntax-entry char "." table))
    (modify-syntax-entry ?\[ "(]" table)
    (modify-syntax-entry ?\] ")[" table)
    (modify-syntax-entry ?{ "(}" table)
    (modify-syntax-entry ?} "){" table)
    table)
  "The syntax table of `cpz-mode'.")

(defun cpz--mark (position syntax)
  "Give the character at POSITION the SYNTAX, unless the buffer ends there."
  (when (< position (point-max))
    (put-text-property position (1+ position) 'syntax-table (string-to-syntax syntax))))

(defun cpz--string-end (start)
  "Return the position of the closing quote of the string that opens at START.
An unclosed string ends with its line.  Only the text of a board and the
solution of a chess problem may have several lines, and neither contains
a brace."
  (let ((quote (char-after start))
        (board (save-excursion
                 (goto-char start)
                 (skip-chars-backward " \t\n")
                 (or (looking-back "\\_<board" (line-beginning-position))
                     (and (looking-back "=>" (- (point) 2))
                          (looking-back
                           (concat "\\(?:\\_<twin[ \t].*\\|\\_<set-play\\|\\_<duplex\\|\\(?:\\_<in[ \t\n]+[0-9.]+\\|\\_<"
                                   cpz--short "\\(?:[ \t]+[a-h][1-8]\\)?\\|\\_<[serh-]*z[a-h][1-8][ \t]+[0-9.]+\\)"
                                   "\\(?:[ \t]+[*]\\)?\\(?:[ \t]+[0-9.]+\\)?\\)[ \t\n]*=>")
                           (max (point-min) (- (point) 200))))))))
    (goto-char (1+ start))
    (skip-chars-forward (format "^\n%c" quote))
    (when (and board (eq (char-after) ?\n))
      (let ((line-end (point)))
        (skip-chars-forward (format "^{}%c" quote))
        (unless (eq (char-after) quote)
          (goto-char line-end))))
    (point)))

(defun cpz--remark-end (start)
  "Return the end of the remark that opens at START.
It ends at the matching parenthesis or, without one, with its line."
  (goto-char start)
  (let ((depth 0) end)
    (while (not end)
      (skip-chars-forward "^()\n")
      (pcase (char-after)
        (?\( (setq depth (1+ depth)))
        (?\) (setq depth (1- depth))))
      (if (or (zerop depth) (memq (char-after) '(?\n nil)))
          (setq end (point))
        (forward-char)))
    end))

(defun cpz--skip-promotion (start)
  "Go behind what a pawn becomes, if the parenthesis at START begins it.
It touches the square of a last rank, as in `e8(Q)'.  Otherwise return nil."
  (let ((case-fold-search nil))
    (when (and (> start (1+ (point-min)))
               (string-match-p "[a-h][18]" (buffer-substring (- start 2) start)))
      (goto-char start)
      (when (looking-at "(=?[A-HJ-UWYZ])")
        (goto-char (match-end 0))))))

(defun cpz--syntax-propertize (start end)
  "Mark the comments, strings and remarks between START and END."
  ;; START may be inside the text of a board.
  (goto-char (or (nth 8 (syntax-ppss start)) start))
  (while (and (< (point) end) (re-search-forward "[\"'(]\\|//.*" end t))
    (let ((begin (match-beginning 0)) stop)
      (pcase (char-after begin)
        (?/ (if (or (= begin (point-min))
                    (memq (char-before begin) (string-to-list " \t\n[]{},")))
                (cpz--mark begin "<")
              ;; Slashes inside a word, as in a URL: skip them.
              (goto-char (+ begin 2))))
        (?\( (unless (cpz--skip-promotion begin)
               (setq stop (cpz--remark-end begin))
               (cpz--mark begin "!")
               (cpz--mark stop "!")))
        (_ (setq stop (cpz--string-end begin))
           (cpz--mark begin "|")
           (cpz--mark stop "|")))
      (when stop
        (goto-char (min (1+ stop) (point-max)))))))

(defun cpz--syntactic-face (state)
  "Return the face for the comment, string or remark of STATE."
  (cond ((nth 3 state) 'font-lock-string-face)
        ((eq (char-after (nth 8 state)) ?\() 'font-lock-doc-face)
        (t 'font-lock-comment-face)))

;;; Colours

(defun cpz--matcher (words &optional other)
  "Return a font-lock matcher for those of WORDS that are keywords.
OTHER is a regexp that matches more of them."
  (let ((regexp (concat (regexp-opt words 'symbols) (and other (concat "\\|" other)))))
    (lambda (limit)
      (let (found (case-fold-search nil))
        (while (and (not found) (re-search-forward regexp limit t))
          ;; Inside a list a keyword is an ordinary word.
          (let ((open (save-match-data
                        (save-excursion (nth 1 (syntax-ppss (match-beginning 0)))))))
            (setq found (not (and open (eq (char-after open) ?\[))))))
        found))))

(defun cpz--match-twin (limit)
  "Find the next `twin' before LIMIT, with its line up to the arrow."
  (when (funcall (cpz--matcher '("twin")) limit)
    (looking-at "\\(?:[^={}\n]\\|=[^>\n]\\)*")
    (goto-char (match-end 0))))

(defun cpz--match-answer (limit)
  "Find the next answer word before LIMIT; case is ignored."
  (let ((case-fold-search t))
    (re-search-forward
     (concat "=>[ \t\n]*\\(" (regexp-opt cpz--answers) "\\)\\_>") limit t)))

(defconst cpz--font-lock-keywords
  `((,(cpz--matcher '("twin")) . font-lock-function-name-face)
    (cpz--match-twin 0 'default keep)
    ("\\_<\\(stalemate\\)[ \t]+in\\_>" (1 font-lock-function-name-face))
    (,(cpz--matcher (cons "board" cpz--games)) . font-lock-keyword-face)
    (,(cpz--matcher cpz--properties cpz--custom-regexp) . font-lock-variable-name-face)
    (,(cpz--matcher cpz--queries cpz--short-regexp) . font-lock-function-name-face)
    (,cpz--length-regexp (1 font-lock-keyword-face) (2 font-lock-constant-face nil t))
    (cpz--match-answer 1 font-lock-constant-face))
  "Font-lock rules other than those for comments, strings and remarks.")

;;; Indentation

(defun cpz--indentation ()
  "Return the column to indent the current line to, or nil to leave it alone."
  (save-excursion
    (beginning-of-line)
    (let* ((state (syntax-ppss))
           (open (nth 1 state))
           (outer (and open (save-excursion (goto-char open) (current-indentation)))))
      (cond
       ;; Never change the lines inside the text of a board.
       ((nth 3 state) nil)
       ((not open) 0)
       ((looking-at "[ \t]*[]}]") outer)
       ((eq (char-after open) ?\[) (+ outer cpz-indent-offset))
       ((or (looking-at cpz--items-regexp)
            (= (count-lines (point-min) open)
               (save-excursion (skip-chars-backward " \t\n") (count-lines (point-min) (point)))))
        (+ outer cpz-indent-offset))
       (t
        (skip-chars-backward " \t\n")
        (beginning-of-line)
        (if (looking-at "[ \t]*board[ \t]*$")
            (+ outer (* 2 cpz-indent-offset))
          ;; A row has the indentation of the row above.
          (current-indentation)))))))

(defun cpz-indent-line ()
  "Indent the current line."
  (let ((column (cpz--indentation)))
    (if (null column)
        'noindent
      (save-excursion (indent-line-to column))
      (when (< (current-column) column)
        (back-to-indentation)))))

;;; The mode

;;;###autoload
(define-derived-mode cpz-mode prog-mode "cpz"
  "Major mode for collections of chess puzzles."
  (setq-local comment-start "// "
              comment-end ""
              comment-start-skip "//+[ \t]*"
              indent-tabs-mode nil
              indent-line-function #'cpz-indent-line
              syntax-propertize-function #'cpz--syntax-propertize
              imenu-generic-expression
              `((nil ,(concat "^[ \t]*" (regexp-opt cpz--games) "[ \t]+[\"']\\([^\"'\n]+\\)") 1))
              font-lock-defaults
              '(cpz--font-lock-keywords
                nil nil nil (font-lock-syntactic-face-function . cpz--syntactic-face))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.cpz\\'" . cpz-mode))

;;; The server

(defvar eglot-server-programs)
(declare-function eglot-ensure "eglot")

(defun cpz--contact (&rest _)
  "Return `cpz-server-command' to Eglot."
  cpz-server-command)

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(cpz-mode . cpz--contact)))

(defvar cpz--reported-program nil
  "The missing program that the last warning named.")

;;;###autoload
(defun cpz-eglot-ensure ()
  "Start Eglot, or warn once that the program of the server is missing.
Intended for `cpz-mode-hook'."
  (interactive)
  (let ((program (car cpz-server-command)))
    (cond
     ((executable-find program)
      (setq cpz--reported-program nil)
      (eglot-ensure))
     ((not (equal program cpz--reported-program))
      (setq cpz--reported-program program)
      (display-warning
       'cpz
       (format "`%s' cannot be found, so puzzles are not checked: install cpz or set `cpz-server-command'"
               program))))))

;;; Commands of the server

(declare-function eglot-current-server "eglot")
(declare-function flymake-diagnostic-data "flymake")
(declare-function flymake-diagnostics "flymake")
(declare-function jsonrpc-async-request "jsonrpc")

(defun cpz--uri ()
  "Return the URI of the file of the buffer, as Eglot writes it."
  ;; The second name is that of Emacs 28 and 29.
  (funcall (seq-find #'fboundp '(eglot-path-to-uri eglot--path-to-uri))
           (or buffer-file-name (user-error "Save this text as a file first"))))

(defun cpz--place ()
  "Return the file and the position of point as the protocol has them."
  (save-restriction
    (widen)
    (list :textDocument (list :uri (cpz--uri))
          :position
          (list :line (1- (line-number-at-pos))
                ;; The second name is that of Emacs 28.
                :character (funcall (symbol-value (seq-find #'boundp '(eglot-current-linepos-function
                                                                       eglot-current-column-function))))))))

(defun cpz--request (method params then)
  "Send PARAMS to METHOD of the server, and call THEN with its answer.
The request waits until the server has the text of the buffer.  It has
no time limit: a search may be long, or wait for what the user chooses."
  (let ((buffer (current-buffer)))
    (jsonrpc-async-request
     (or (eglot-current-server) (user-error "The server of cpz is not running")) method params
     :success-fn (lambda (answer)
                   (when (buffer-live-p buffer)
                     (with-current-buffer buffer (funcall then answer))))
     :error-fn (lambda (err) (message "cpz: %s" (plist-get err :message)))
     :timeout nil
     ;; Of requests that wait under one name only the last is sent.
     :deferred (make-symbol "cpz"))))

(defun cpz--at-point (then)
  "Call THEN with the URI, the version and the position of point.
They are those of the text that the server has.  If the text is changed
before the server has it, do not call THEN, because point may be on
another square."
  (let* ((place (cpz--place))
         (tick (buffer-chars-modified-tick)))
    (cpz--request
     :cpz/board place
     (lambda (board)
       (if (/= tick (buffer-chars-modified-tick))
           (message "cpz: the text has changed since; please try again")
         (funcall then (plist-get (plist-get place :textDocument) :uri)
                  (plist-get board :version) (plist-get place :position)))))))

(defun cpz--execute (command uri version position more)
  "Let the server run COMMAND at POSITION of VERSION of URI.
MORE is a plist of other members of the argument."
  (cpz--request :workspace/executeCommand
                (list :command command
                      :arguments (vector `(:uri ,uri :version ,version :position ,position ,@more)))
                #'ignore))

(defun cpz--command (command &rest more)
  "Let the server run COMMAND at point.
MORE is a plist of other members of the argument."
  (cpz--at-point (lambda (&rest place) (apply #'cpz--execute command (append place (list more))))))

(defun cpz-put-piece (letter)
  "Put the piece of LETTER on the square whose cell is at point."
  (interactive "cLetter of the piece: ")
  (cpz--command "cpz.editBoard" :gesture (list :kind "put" :piece (char-to-string letter))))

(defun cpz-remove-piece ()
  "Remove the piece at point."
  (interactive)
  (cpz--command "cpz.editBoard" :gesture '(:kind "remove")))

(defun cpz-move-piece (square)
  "Move the piece at point to SQUARE, such as b2."
  (interactive "sTo square: ")
  (cpz--command "cpz.editBoard" :gesture (list :kind "move" :to square)))

(defun cpz-record-move (from to)
  "Write the legal move FROM a square TO another one as the answer.
If it can mean several, such as a promotion, ask which."
  (interactive "sFrom square: \nsTo square: ")
  (cpz--at-point
   (lambda (uri version position)
     (let* ((gesture (list :kind "record" :from from :to to))
            (record (lambda (&rest choice)
                      (cpz--execute "cpz.editBoard" uri version position
                                    (list :gesture (append gesture choice))))))
       (cpz--request
        :cpz/edit
        (list :textDocument (list :uri uri :version version) :position position :gesture gesture)
        (lambda (answer)
          (let ((choices (mapcar (lambda (each) (cons (plist-get each :label) (plist-get each :id)))
                                 (plist-get answer :choices)))
                ;; A first move that is refused may be written as a try.
                (question (or (plist-get answer :refused) "Which move?")))
            (if (null choices)
                (funcall record)
              ;; A question waits for the user, and an answer of the server must not wait.
              (run-at-time 0 nil
                           (lambda ()
                             (let ((label (completing-read (concat question " ") choices nil t)))
                               (funcall record :choice (cdr (assoc label choices))))))))))))))

(defun cpz-show-hint ()
  "Show a hint for the puzzle at point; then, if you want it, the next one."
  (interactive)
  (cpz--command "cpz.showHint"))

(defun cpz-sort-puzzles (by)
  "Sort the puzzles of the text with their comments.
BY is `difficulty', `pieces', `name' or `id'."
  (interactive (list (completing-read "Sort by: " '("difficulty" "pieces" "name" "id") nil t)))
  (cpz--command "cpz.sortPuzzles" :by by))

(defun cpz--generate (game &rest wanted)
  "Add a new puzzle of GAME at the end of the text, with the properties WANTED."
  ;; Another puzzle each time; the text names the seed, so that it can be made again.
  (cpz--command "cpz.generatePuzzle"
                :wanted (append (list :game game :seed (1+ (random 999999))) wanted)))

(defun cpz-generate-puzzle (pieces side unique)
  "Add a new puzzle of solitaire at the end of the text.
It has PIECES on a board of SIDE columns and rows.  With UNIQUE, it has
one solution."
  (interactive (list (read-number "Pieces: " 6) (read-number "Columns and rows: " 4)
                     (y-or-n-p "Exactly one solution? ")))
  (cpz--generate "solitaire" :pieces pieces :columns side :rows side :unique (if unique t :json-false)))

(defun cpz-generate-capture (captures)
  "Add a new position of draughts at the end of the text.
Its only capture takes CAPTURES pieces."
  (interactive (list (read-number "Captured pieces: " 3)))
  (cpz--generate "draughts" :captures captures))

(defun cpz-generate-cube-mate (side)
  "Add a new mate on a cube of SIDE files, ranks and levels at the end of the text."
  (interactive (list (read-number "Side of the cube: " 3)))
  (cpz--generate "chess3d" :side side))

(defun cpz--code-at-point ()
  "Return the code of the worst finding at point."
  (let ((found (mapcar (lambda (each) (alist-get 'eglot-lsp-diag (flymake-diagnostic-data each)))
                       (flymake-diagnostics (point)))))
    (plist-get (car (sort found (lambda (a b) (< (plist-get a :severity) (plist-get b :severity))))) :code)))

(defun cpz-explain-finding (code)
  "Show the page of the manual about CODE, by default of the finding at point."
  (interactive (list (or (cpz--code-at-point) (read-string "Code: "))))
  (cpz--request
   :cpz/explain (list :code code)
   (lambda (page)
     (with-current-buffer (get-buffer-create (format "*cpz %s*" code))
       (let ((inhibit-read-only t))
         (erase-buffer)
         (insert (plist-get page :markdown)))
       (goto-char (point-min))
       (view-mode)
       (display-buffer (current-buffer))))))

;;; Files of other programs

(defconst cpz--formats
  '(("json" . "json") ("jsonl" . "jsonl") ("csv" . "csv") ("pgn" . "pgn") ("epd" . "epd") ("fen" . "fen")
    ("pdn" . "pdn") ("popeye" . "inp") ("olv" . "olv") ("markdown" . "md"))
  "The formats of the program's `export', with their extensions.")

(defun cpz--run (output &rest arguments)
  "Run the program with ARGUMENTS and `-o' OUTPUT.
Show the last line of its messages.  Ask before a file is replaced.
Signal an error if the program wrote nothing."
  (when (file-exists-p output)
    (unless (y-or-n-p (format "%s exists; replace it? " (abbreviate-file-name output)))
      (user-error "Nothing was written"))
    (setq arguments (append arguments '("--force"))))
  (with-temp-buffer
    (let ((code (apply #'call-process (car cpz-server-command) nil t nil `(,@arguments "-o" ,output)))
          (said (car (last (split-string (string-trim (buffer-string)) "\n")))))
      ;; 1 is for what the format has no place for, or for what was not read whole.
      (unless (memq code '(0 1))
        (user-error "%s" said))
      (message "%s" said))))

(defun cpz-import-file (file)
  "Make a collection of FILE of another program, beside it, and visit it."
  (interactive "fFile to import: ")
  (let* ((file (expand-file-name file))
         (output (concat (file-name-sans-extension (string-remove-suffix ".zst" file)) ".cpz")))
    (cpz--run output "import" file)
    (find-file output)))

(defun cpz-export (format output)
  "Write the puzzles of the buffer's file, which is saved, in FORMAT to OUTPUT."
  (interactive
   (let ((format (completing-read "Format: " cpz--formats nil t)))
     (list format
           (read-file-name "Write to: " nil nil nil
                           (concat (file-name-base buffer-file-name) "." (cdr (assoc format cpz--formats)))))))
  (save-buffer)
  (cpz--run (expand-file-name output) "export" "--to" format (expand-file-name buffer-file-name)))

(provide 'cpz-mode)
;;; cpz-mode.el ends here
