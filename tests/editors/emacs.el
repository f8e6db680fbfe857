;;; emacs.el --- Tests of the Emacs mode  -*- lexical-binding: t -*-

;; Prints one line for each check: `ok' or `FAIL' and its name.
;;
;;   emacs -q --batch -L editors/emacs -l emacs.el
;;
;; The current folder is a copy of collection/.  With $CPZ_PID the checks with a
;; server run, else those without one.

(require 'bytecomp)
(require 'checkdoc)
(require 'cl-lib)
(require 'imenu)
(require 'cpz-mode)

(defvar flymake-no-changes-timeout)
(defvar eglot-autoreconnect)
(defvar eglot-connect-timeout)
(defvar jrpc-default-request-timeout)
(defvar eglot-confirm-server-initiated-edits)
(defvar failed nil)

(setq make-backup-files nil
      create-lockfiles nil
      flymake-no-changes-timeout 0.1)

(defun check (what found seen)
  "Print whether the check WHAT passed, that is FOUND; if not, print SEEN."
  (let ((print-escape-newlines t))
    (if found
        (princ (format "ok emacs: %s\n" what))
      (setq failed t)
      (princ (format "FAIL emacs: %s: %S\n" what seen)))))

(defun await (look)
  "Call LOOK until it returns non-nil, and return its value; nil if it hangs."
  (let ((end (+ (float-time) (string-to-number (getenv "HUNG")))) found)
    (while (and (not (setq found (funcall look))) (< (float-time) end))
      ;; The pause between two looks.
      (sit-for 0.02)
      ;; Eglot sends changes when Emacs is idle, which it never is in a batch.
      (dolist (timer (seq-remove #'timer--repeat-delay timer-idle-list))
        (timer-event-handler timer))
      (accept-process-output nil 0.02))
    found))

(defun edit (name)
  "Visit the file NAME and run the hooks that follow a command."
  (find-file name)
  (run-hooks 'post-command-hook))

(defun at (text)
  "Go to the start of the first occurrence of TEXT."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun face (text)
  "Return the face of the first occurrence of TEXT."
  (at text)
  (get-text-property (point) 'face))

;;; With the server

(declare-function flymake-diagnostics "flymake")
(declare-function flymake-diagnostic-beg "flymake")
(declare-function flymake-diagnostic-end "flymake")
(declare-function flymake-diagnostic-text "flymake")
(declare-function flymake-start "flymake")
(declare-function eglot-code-actions "eglot")
(declare-function eglot-hover-eldoc-function "eglot")
(declare-function eglot-managed-p "eglot")
(declare-function eglot-current-server "eglot")
(declare-function eglot-shutdown-all "eglot")
(declare-function jsonrpc--process "jsonrpc")

(defun findings ()
  "Return the diagnostics of the buffer as pairs of text and message."
  (mapcar (lambda (d)
            (cons (buffer-substring-no-properties (flymake-diagnostic-beg d) (flymake-diagnostic-end d))
                  (flymake-diagnostic-text d)))
          (flymake-diagnostics)))

(defun check-finding (text message)
  "Check that TEXT has a diagnostic that matches the regexp MESSAGE."
  (check (format "finding: %s" text)
         (await (lambda ()
                  (flymake-start)
                  (cl-some (lambda (f) (and (equal (car f) text) (string-match-p message (cdr f))))
                           (findings))))
         (findings)))

(defun act (title text)
  "Run the code action that matches TITLE at TEXT."
  (at text)
  (cl-letf ((last-nonmenu-event ?a) ; Use the minibuffer, not a menu.
            ((symbol-function 'completing-read)
             (lambda (_ items &rest _)
               (cl-find-if (lambda (i) (string-match-p title i)) (mapcar #'car items)))))
    (eglot-code-actions (point) (point) nil t)))

(defun with-server ()
  "Run the checks that need the server."
  (require 'eglot)
  ;; By themselves they give up after half a minute and after ten seconds.
  (setq eglot-connect-timeout (string-to-number (getenv "HUNG"))
        jrpc-default-request-timeout (string-to-number (getenv "HUNG")))
  ;; Reconnect even if the server has run for a short time.
  (setq eglot-autoreconnect 0)
  (add-hook 'cpz-mode-hook #'cpz-eglot-ensure)
  (edit "moves.cpz")
  (check "Eglot starts the server" (await #'eglot-managed-p) (buffer-list))
  (check-finding "[\"W\", \"N\", 5, 4]" "illegal")
  (act "illegal" "[\"W\"")
  (check "code action: the fix of an illegal move is applied" (save-excursion (at "4] => illegal\n")) (buffer-string))
  (save-buffer)
  (check "finding: it disappears after the fix" (await (lambda () (flymake-start) (null (findings)))) (findings))

  (edit "mate.cpz")
  (await #'eglot-managed-p)
  (at "mate =>")
  (let ((hover ""))
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq hover (concat hover text))))
    (await (lambda () (> (length hover) 0)))
    (check "hover: says why it is mate"
           (string-match-p "c2 (I): guarded by the bishop on b3 (II)" hover) hover))

  (edit "sample.cpz")
  (await #'eglot-managed-p)
  (act "Insert the answer" "solve")
  (check "code action: inserts the solution" (ignore-errors (at "solve => d1xb2")) (buffer-string))
  (at " =>")
  (delete-region (point) (line-end-position))
  ;; The next edit is requested by the server.
  (setq eglot-confirm-server-initiated-edits nil)
  (act "Insert all answers in the file" "solve")
  (check "command: inserts all answers"
         (await (lambda ()
                  ;; Of two messages in one chunk Emacs 28 handles the second only when more output comes.
                  (eglot-hover-eldoc-function #'ignore)
                  (ignore-errors (at "solve => d1xb2"))))
         (buffer-string))

  (edit "slip.cpz")
  (await #'eglot-managed-p)
  (check-finding "solv" "did you mean")
  (act "solve" "solv")
  (check "code action: the fix of a misspelt keyword is applied" (ignore-errors (at "\n  solve\n")) (buffer-string))

  (commands)
  (files-of-other-programs)

  (edit "slip.cpz")
  (let ((server (eglot-current-server)) (text (buffer-string)))
    (delete-process (jsonrpc--process server))
    (check "reconnect: a new server starts when the server ends"
           (await (lambda () (not (memq (eglot-current-server) (list nil server)))))
           (eglot-current-server))
    (check "reconnect: the text is unchanged" (equal (buffer-string) text) (buffer-string))
    (at "\n  solve\n")
    (insert "\n  solv")
    (save-buffer)
    (check-finding "solv" "did you mean"))
  (eglot-shutdown-all))

;;; The commands of the mode

(defvar told nil
  "What the mode and Eglot have told the user, latest first.")

(advice-add 'message :before
            (lambda (format &rest arguments)
              (when format
                (push (apply #'format format arguments) told))))

(defun choose (pattern)
  "Make questions with a list choose what matches the regexp PATTERN."
  (advice-add 'completing-read :override
              (lambda (question items &rest _)
                (push question told)
                (or (seq-find (lambda (item) (string-match-p pattern item)) (all-completions "" items))
                    (error "%s has no choice %s: %S" question pattern items)))
              '((name . choose))))

(defun was-told (pattern)
  "Wait until the user is told something that matches the regexp PATTERN."
  (await (lambda () (cl-some (lambda (each) (string-match-p pattern each)) told))))

(defun becomes (what pattern)
  "Check WHAT, that the text of the buffer comes to match the regexp PATTERN."
  (check what
         (await (lambda ()
                  ;; As above: Emacs 28 handles a message when more output comes.
                  (eglot-hover-eldoc-function #'ignore)
                  (string-match-p pattern (buffer-string))))
         (list (buffer-string) told)))

(defun commands ()
  "Run each command of the mode."
  (edit "sample.cpz")
  (revert-buffer t t)
  (await #'eglot-managed-p)
  (let ((text (buffer-string)))
    (at "R P")
    (call-interactively #'cpz-remove-piece)
    (becomes "cpz-remove-piece: removes the piece at point" "^    \\. P \\. \\.$")
    (at ". P")
    (cpz-put-piece ?R)
    (becomes "cpz-put-piece: puts a piece on the square at point" "^    R P \\. \\.$")
    (check "the commands of the board change nothing else" (equal (buffer-string) text) (buffer-string))
    (at "R P")
    (cpz-move-piece "a1")
    (becomes "cpz-move-piece: moves the piece at point" "^    \\. P \\. \\.\n    R \\. \\. N$")
    (setq told nil)
    (at "solitaire")
    (cpz-move-piece "b2")
    (check "cpz-move-piece: without a piece at point it says so" (was-told "put the cursor on a cell") told)
    ;; The request waits for the text; meanwhile somebody types.
    (let ((before (buffer-string)))
      (at "R .")
      (insert " ")
      (cpz-remove-piece)
      (insert " ")
      (check "a command that the text has overtaken says so" (was-told "the text has changed since") told)
      (delete-char -2)
      (check "a command that the text has overtaken changes nothing" (equal (buffer-string) before) (buffer-string)))
    (revert-buffer t t)
    (at "solve")
    (cpz-record-move "d1" "b2")
    (becomes "cpz-record-move: writes a legal move" "solve => d1xb2$")
    (setq told nil)
    (cpz-record-move "b3" "a4")
    (check "cpz-record-move: says why a move is refused" (was-told "capture on a4") told)
    (revert-buffer t t))

  (edit "commands.cpz")
  (await #'eglot-managed-p)
  (at "mate in")
  (choose "queen")
  (cpz-record-move "e7" "e8")
  (becomes "cpz-record-move: asks what a pawn becomes" "mate in 3 => e8=Q\\+$")
  (revert-buffer t t)
  (at "mate in")
  (choose "^Write the try")
  (cpz-record-move "f6" "f7")
  (becomes "cpz-record-move: offers a move that one reply refutes as a try" "mate in 3 => \"1\\. Kf7\\? Kh7!\"$")
  (revert-buffer t t)

  (setq told nil)
  (at "mate in")
  (choose "Next hint")
  (cpz-show-hint)
  (check "cpz-show-hint: shows the first hint, and the next one on request"
         (and (was-told "The pawn knows") (was-told "the first move is")) told)

  (cpz-sort-puzzles "pieces")
  (becomes "cpz-sort-puzzles: sorts them with their comments" "\\`// Two pieces\\(?:.\\|\n\\)*// Three men")
  (revert-buffer t t)

  (let ((text (buffer-string)))
    (cpz-generate-puzzle 4 3 t)
    (becomes "cpz-generate-puzzle: adds a puzzle" (concat "\\`" (regexp-quote text) "\n\\(.*\n\\)*solitaire [^}]+}"))
    (cpz-generate-capture 2)
    (becomes "cpz-generate-capture: adds a capture" "\\(.*\n\\)*draughts [^}]+capture[^}]+}")
    (cpz-generate-cube-mate 3)
    (becomes "cpz-generate-cube-mate: adds a mate" "\\(.*\n\\)*chess3d [^}]+mate[^}]+}"))
  (revert-buffer t t)

  (edit "moves.cpz")
  (revert-buffer t t)
  (at "move [")
  (delete-region (point) (line-end-position))
  (insert "move Ng4")
  (check-finding "Ng4" "illegal")
  (at "Ng4")
  (call-interactively #'cpz-explain-finding)
  (check "cpz-explain-finding: shows the page of the finding at point"
         (await (lambda ()
                  (let ((page (get-buffer "*cpz illegal-move*")))
                    (and page (get-buffer-window page)
                         (with-current-buffer page (string-match-p "\\`# illegal-move\n" (buffer-string)))))))
         (buffer-list))
  (edit "moves.cpz")
  (set-buffer-modified-p nil)

  (edit "unsound.cpz")
  (await #'eglot-managed-p)
  (check-finding "solve" "no solution")
  (setq told nil)
  (at "solve")
  (let ((last-nonmenu-event ?a))
    ;; Of the menu, and of the question that the server asks then.
    (choose "Look for repairs\\|^make the knight")
    (eglot-code-actions (point) (point) nil t))
  (becomes "code action: looks for repairs, asks which, and applies it" "board R\\.\\.[^N.]")
  (set-buffer-modified-p nil)
  (advice-remove 'completing-read 'choose))

(defun files-of-other-programs ()
  "Run the commands that read and write files of other programs."
  (edit "sample.cpz")
  (let ((text (buffer-string)) (answer t))
    (cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) answer)))
      (cpz-export "json" "sample.json")
      (check "cpz-export: writes a file, and says so"
             (and (string-match-p "1 puzzle written" (car told)) (file-exists-p "sample.json")) told)
      (write-region "" nil "sample.json")
      (cpz-export "json" "sample.json")
      (check "cpz-export: replaces a file after a question"
             (> (file-attribute-size (file-attributes "sample.json")) 0) told)
      (write-region "" nil "kept.json")
      (setq answer nil)
      (check "cpz-export: keeps a file if the answer is no"
             (equal (condition-case no (cpz-export "json" "kept.json") (user-error (cadr no))) "Nothing was written")
             told)
      (check "cpz-export: has not changed that file"
             (= (file-attribute-size (file-attributes "kept.json")) 0) told))
    (rename-file "sample.json" "other.json")
    (cpz-import-file "other.json")
    (check "cpz-import-file: makes a collection and visits it"
           (equal (file-name-nondirectory buffer-file-name) "other.cpz") (list buffer-file-name told))
    (check "cpz-import-file: the puzzles are those of the file" (string-match-p "RP" (buffer-string)) (buffer-string))
    (write-region "no puzzles" nil "nothing.json")
    (let ((why (condition-case no (cpz-import-file "nothing.json") (user-error (cadr no)))))
      (check "cpz-import-file: says why a file cannot be read" (string-match-p "^cpz: .*nothing\\.json" why) why))
    (check "cpz-import-file: writes nothing then" (not (file-exists-p "nothing.cpz")) (directory-files "."))
    (edit "sample.cpz")
    (check "the file that was exported is as it was" (equal (buffer-string) text) (buffer-string))))

;;; Without the server

(defun without-server ()
  "Run the checks of the mode without a server."
  (let (warnings (cpz-server-command '("cpz" "lsp")))
    (add-hook 'cpz-mode-hook #'cpz-eglot-ensure)
    (cl-letf (((symbol-function 'display-warning)
               (lambda (_ message &rest _) (push message warnings))))
      (edit "mate.cpz")
      (edit "sample.cpz"))
    (check "a missing program is reported once, in one line"
           (and (equal (length warnings) 1)
                (string-match-p "\\`[^\n]*cannot be found[^\n]*\\'" (car warnings)))
           warnings))
  (check "auto-mode-alist: .cpz files use cpz-mode" (eq major-mode 'cpz-mode) major-mode)

  (let ((text (buffer-string)))
    (goto-char (point-min))
    (while (re-search-forward "^ +" nil t)
      (replace-match ""))
    (indent-region (point-min) (point-max))
    (check "indentation: indent-region restores puzzles and rows" (equal (buffer-string) text) (buffer-string)))
  (at "solve")
  (comment-line 1)
  (check "comment-line uses //" (ignore-errors (at "  // solve\n")) (buffer-string))
  (check "imenu: lists the puzzles"
         (assoc "Sample" (funcall imenu-create-index-function))
         (funcall imenu-create-index-function))

  (with-temp-buffer
    (insert "// A \"comment\" {\n"
            "source https://example.org\n"
            "tags [mate other]\n"
            "chess \"The 'name' // of it\" {\n"
            "  board \"k.......\n........ count\"\n"
            "  note \"open\n"
            "  size 8 // eight\n"
            "  move Kb8 => Legal (the (inner) \"remark // stays)\n"
            "  unique\n"
            "}\n")
    (cpz-mode)
    (font-lock-ensure)
    (pcase-dolist (`(,text ,face)
                   '(("\"comment" font-lock-comment-face)
                     ("//example" nil)
                     ("mate" nil)
                     ("chess" font-lock-keyword-face)
                     ("// of" font-lock-string-face)
                     ("board" font-lock-keyword-face)
                     ("count" font-lock-string-face)
                     ("open" font-lock-string-face)
                     ("size" font-lock-variable-name-face)
                     ("eight" font-lock-comment-face)
                     ("move" font-lock-function-name-face)
                     ("Legal" font-lock-constant-face)
                     ("remark" font-lock-doc-face)
                     ("stays" font-lock-doc-face)
                     ("unique" font-lock-variable-name-face)))
      (check (format "font-lock: %s has the face %s" text face) (eq (face text) face) (face text))))

  (let ((file (locate-library "cpz-mode.el")) warnings-found)
    (cl-letf (((symbol-function 'display-warning)
               (lambda (_ message &rest _) (push message warnings-found))))
      (let ((byte-compile-dest-file-function (lambda (_) (expand-file-name "cpz-mode.elc"))))
        (byte-compile-file file))
      (with-current-buffer (get-buffer-create "*Compile-Log*")
        (when (search-backward "Warning" nil t)
          (push (buffer-string) warnings-found)))
      (checkdoc-file file))
    (check "byte compiler and checkdoc have no warnings"
           (null warnings-found) warnings-found)))

(condition-case wrong
    (if (getenv "CPZ_PID")
        (with-server)
      (without-server))
  (error (check "all checks run to the end" nil wrong)))
(kill-emacs (if failed 1 0))

;;; emacs.el ends here
