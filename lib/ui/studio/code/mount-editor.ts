import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { lintKeymap, nextDiagnostic, setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { pageNonce } from '../../page-nonce.ts'
import { type BodyDiagnostic, diagnosticRange } from './diagnostics.ts'
import { editorTheme } from './editor-theme.ts'
import { solidityLanguage } from './solidity-language.ts'
import { textChange } from './text-change.ts'

/** An editor in the page. */
export interface MountedEditor {
  /** Takes over a text that changed elsewhere, for instance by undo. */
  setText(text: string): void
  setDiagnostics(diagnostics: readonly BodyDiagnostic[]): void
  setReadOnly(readOnly: boolean): void
  setAttributes(attributes: EditorOptions['attributes']): void
  /** Puts the cursor at a place and the focus in the editor. */
  reveal(diagnostic: BodyDiagnostic): void
  /** Puts a text in place of everything, as typing would. */
  replaceAll(text: string): void
  focus(): void
  destroy(): void
}

export interface EditorOptions {
  readonly text: string
  readonly readOnly: boolean
  /** Attributes of the text box: its name and description for people who hear the page. */
  readonly attributes: Readonly<Record<string, string>>
  readonly onText: (text: string) => void
  /** Whether Tab leaves the editor instead of indenting. */
  readonly onTabLeaves: (leaves: boolean) => void
  /** Undo of the whole document; without it the editor undoes its own typing. */
  readonly undo: { readonly undo: () => void; readonly redo: () => void } | undefined
}

/** Marks changes that come from outside, so that they are not told back. */
const fromOutside = Annotation.define<boolean>()

/** Starts CodeMirror in an element. Loaded on demand: it is the largest part of the code editor. */
export function mountEditor(host: HTMLElement, options: EditorOptions): MountedEditor {
  const editable = new Compartment()
  const attributes = new Compartment()
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        indentOnInput(),
        indentUnit.of('    '),
        EditorState.tabSize.of(4),
        EditorView.lineWrapping,
        EditorView.cspNonce.of(pageNonce() ?? ''),
        solidityLanguage(),
        editorTheme,
        tabTrap(options.onTabLeaves),
        undoKeys(options.undo),
        keymap.of([
          { key: 'F8', run: nextDiagnostic },
          indentWithTab,
          ...defaultKeymap.filter(({ key }) => key !== 'Escape'),
          ...lintKeymap,
        ]),
        attributes.of(boxAttributes(options.attributes)),
        EditorView.updateListener.of((update) => {
          const ours = update.transactions.some((transaction) => transaction.annotation(fromOutside))
          if (update.docChanged && !ours) options.onText(update.state.doc.toString())
        }),
        editable.of(readOnlyness(options.readOnly)),
      ],
    }),
  })

  return {
    setText(text) {
      const change = textChange(view.state.doc.toString(), text.replace(/\r\n?/g, '\n'))
      if (change) view.dispatch({ changes: change, annotations: fromOutside.of(true) })
    },
    setDiagnostics(diagnostics) {
      const text = view.state.doc.toString()
      view.dispatch(
        setDiagnostics(
          view.state,
          diagnostics.map((diagnostic) => ({
            ...diagnosticRange(text, diagnostic),
            severity: 'error' as const,
            message: diagnostic.message,
          })),
        ),
      )
    },
    setReadOnly: (readOnly) => view.dispatch({ effects: editable.reconfigure(readOnlyness(readOnly)) }),
    setAttributes: (next) => view.dispatch({ effects: attributes.reconfigure(boxAttributes(next)) }),
    reveal(diagnostic) {
      const { from } = diagnosticRange(view.state.doc.toString(), diagnostic)
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
      view.focus()
    },
    replaceAll(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: text.length },
      })
      view.focus()
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}

/**
 * Tab indents, as people expect of an editor. Escape gives Tab back to the page until something is typed, so that
 * nobody who only has a keyboard is caught here.
 */
function tabTrap(onTabLeaves: (leaves: boolean) => void): Extension {
  const set = (view: EditorView, leaves: boolean) => {
    view.setTabFocusMode(leaves)
    onTabLeaves(leaves)
  }
  return [
    keymap.of([
      {
        key: 'Escape',
        run: (view) => {
          set(view, true)
          return true
        },
      },
    ]),
    EditorView.updateListener.of(({ view, docChanged, focusChanged }) => {
      if (docChanged || (focusChanged && !view.hasFocus)) set(view, false)
    }),
  ]
}

function undoKeys(undo: EditorOptions['undo']): Extension {
  if (undo === undefined) return [history(), keymap.of(historyKeymap)]
  const run = (action: () => void) => () => {
    action()
    return true
  }
  return keymap.of([
    // Stopped here, or the page around would undo once more.
    { key: 'Mod-z', run: run(undo.undo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-Shift-z', run: run(undo.redo), preventDefault: true, stopPropagation: true },
    { key: 'Mod-y', run: run(undo.redo), preventDefault: true, stopPropagation: true },
  ])
}

function boxAttributes(attributes: EditorOptions['attributes']): Extension {
  const plain = { spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }
  return EditorView.contentAttributes.of({ ...plain, ...attributes })
}

function readOnlyness(readOnly: boolean): Extension {
  // Still editable to the browser: a text that takes no focus cannot be read or copied by keyboard.
  return EditorState.readOnly.of(readOnly)
}
