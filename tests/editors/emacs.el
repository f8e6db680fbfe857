;;; emacs.el --- Checks of the mode for Emacs  -*- lexical-binding: t -*-

;; One line each: `ok' or `FAIL' and what was looked at.
;;
;;   emacs -q --batch -L editors/emacs -l emacs.el
;;
;; The current folder is a copy of collection/.  $CPZ_PID is set where there is a server.

(require 'bytecomp)
(require 'checkdoc)
(require 'cl-lib)
(require 'imenu)
(require 'cpz-mode)

(defvar flymake-no-changes-timeout)
(defvar eglot-autoreconnect)
(defvar eglot-confirm-server-initiated-edits)
(defvar failed nil)

(setq make-backup-files nil
      create-lockfiles nil
      flymake-no-changes-timeout 0.1)

(defun check (what found seen)
  "Tell whether WHAT was FOUND; if not, SEEN was there instead."
  (let ((print-escape-newlines t))
    (if found
        (princ (format "ok emacs: %s\n" what))
      (setq failed t)
      (princ (format "FAIL emacs: %s: %S\n" what seen)))))

(defun await (look)
  "Return what LOOK returns once it is no longer nil, within ten seconds."
  (let ((deadline (+ (float-time) 10)) found)
    (while (and (not (setq found (funcall look))) (< (float-time) deadline))
      (sit-for 0.02)
      (accept-process-output nil 0.02))
    found))

(defun edit (name)
  "Visit the file NAME as it is on the disk, as a command would."
  (find-file name)
  (run-hooks 'post-command-hook))

(defun at (text)
  "Go to the beginning of the next occurrence of TEXT from the top."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun face (text)
  "Return the face of TEXT at its first occurrence."
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
  "Return what is marked in the buffer: text and message."
  (mapcar (lambda (d)
            (cons (buffer-substring-no-properties (flymake-diagnostic-beg d) (flymake-diagnostic-end d))
                  (flymake-diagnostic-text d)))
          (flymake-diagnostics)))

(defun found (text message)
  "Check that TEXT is marked, with what matches MESSAGE."
  (check (format "%s is marked" text)
         (await (lambda ()
                  (flymake-start)
                  (cl-some (lambda (f) (and (equal (car f) text) (string-match-p message (cdr f))))
                           (findings))))
         (findings)))

(defun act (title text)
  "Choose the code action that matches TITLE where TEXT is."
  (at text)
  (cl-letf ((last-nonmenu-event ?a) ; Not by the mouse.
            ((symbol-function 'completing-read)
             (lambda (_ items &rest _)
               (cl-find-if (lambda (i) (string-match-p title i)) (mapcar #'car items)))))
    (eglot-code-actions (point) (point) nil t)))

(defun with-server ()
  "Check what the server does."
  (require 'eglot)
  ;; A server that ends is replaced, however short it has lived.
  (setq eglot-autoreconnect 0)
  (add-hook 'cpz-mode-hook #'cpz-eglot-ensure)
  (edit "moves.cpz")
  (check "Eglot runs the server" (await #'eglot-managed-p) (buffer-list))
  (found "[\"W\", \"N\", 5, 4]" "illegal")
  (act "illegal" "[\"W\"")
  (check "the fix of an illegal move" (save-excursion (at "4] => illegal\n")) (buffer-string))
  (save-buffer)
  (check "the finding goes with it" (await (lambda () (flymake-start) (null (findings)))) (findings))

  (edit "mate.cpz")
  (await #'eglot-managed-p)
  (at "mate =>")
  (let ((hover ""))
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq hover (concat hover text))))
    (await (lambda () (> (length hover) 0)))
    (check "hover tells why it is mate"
           (string-match-p "c2 (I): guarded by the bishop on b3 (II)" hover) hover))

  (edit "sample.cpz")
  (await #'eglot-managed-p)
  (act "Insert the answer" "solve")
  (check "the action that inserts a solution" (ignore-errors (at "solve => [[[")) (buffer-string))
  (at " =>")
  (delete-region (point) (line-end-position))
  ;; This one is the server's own edit.
  (setq eglot-confirm-server-initiated-edits nil)
  (act "Insert all answers in the file" "solve")
  (check "the command that inserts all answers"
         (await (lambda ()
                  ;; Of two messages in one piece Emacs 28 takes in the second one with the next.
                  (eglot-hover-eldoc-function #'ignore)
                  (ignore-errors (at "solve => [[["))))
         (buffer-string))

  (edit "slip.cpz")
  (await #'eglot-managed-p)
  (found "solv" "did you mean")
  (act "solve" "solv")
  (check "the fix of a misspelt keyword" (ignore-errors (at "\n  solve\n")) (buffer-string))

  (let ((server (eglot-current-server)) (text (buffer-string)))
    (delete-process (jsonrpc--process server))
    (check "another server follows one that ends"
           (await (lambda () (not (memq (eglot-current-server) (list nil server)))))
           (eglot-current-server))
    (check "the text is whole after it" (equal (buffer-string) text) (buffer-string))
    (at "\n  solve\n")
    (insert "\n  solv")
    (save-buffer)
    (found "solv" "did you mean"))
  (eglot-shutdown-all))

;;; Without the server

(defun without-server ()
  "Check what the mode does alone."
  (let (warnings (cpz-server-command '("cpz" "lsp")))
    (add-hook 'cpz-mode-hook #'cpz-eglot-ensure)
    (cl-letf (((symbol-function 'display-warning)
               (lambda (_ message &rest _) (push message warnings))))
      (edit "mate.cpz")
      (edit "sample.cpz"))
    (check "a missing program is told, once, in a line"
           (and (equal (length warnings) 1)
                (string-match-p "\\`[^\n]*cannot be found[^\n]*\\'" (car warnings)))
           warnings))
  (check "the mode is cpz-mode" (eq major-mode 'cpz-mode) major-mode)

  (let ((text (buffer-string)))
    (goto-char (point-min))
    (while (re-search-forward "^ +" nil t)
      (replace-match ""))
    (indent-region (point-min) (point-max))
    (check "indentation sets puzzles and rows in" (equal (buffer-string) text) (buffer-string)))
  (at "solve")
  (comment-line 1)
  (check "comments begin with //" (ignore-errors (at "  // solve\n")) (buffer-string))
  (check "imenu lists the puzzles"
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
      (check (format "%s has the face %s" text face) (eq (face text) face) (face text))))

  (let ((file (locate-library "cpz-mode.el")) complaints)
    (cl-letf (((symbol-function 'display-warning)
               (lambda (_ message &rest _) (push message complaints))))
      (let ((byte-compile-dest-file-function (lambda (_) (expand-file-name "cpz-mode.elc"))))
        (byte-compile-file file))
      (with-current-buffer (get-buffer-create "*Compile-Log*")
        (when (search-backward "Warning" nil t)
          (push (buffer-string) complaints)))
      (checkdoc-file file))
    (check "it compiles without warnings, and its documentation is in form"
           (null complaints) complaints)))

(condition-case wrong
    (if (getenv "CPZ_PID")
        (with-server)
      (without-server))
  (error (check "the checks run to their end" nil wrong)))
(kill-emacs (if failed 1 0))

;;; emacs.el ends here
