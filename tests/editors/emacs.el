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
