import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintKeymap, nextDiagnostic, setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { type BodyDiagnostic, diagnosticRange, textChange } from './code-text.ts'

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
  destroy(): void
}

export interface EditorOptions {
  readonly text: string
  readonly readOnly: boolean
  readonly language: Extension
  /** Attributes of the text box: its accessible name and description. */
  readonly attributes: Readonly<Record<string, string>>
  readonly onText: (text: string) => void
  /** Whether Tab leaves the editor instead of indenting. */
  readonly onTabLeaves: (leaves: boolean) => void
  /** Undo of the whole document; without it the editor undoes its own typing. */
  readonly undo: { readonly undo: () => void; readonly redo: () => void } | undefined
}

/** Marks changes from outside, which `onText` does not report. */
const fromOutside = Annotation.define<boolean>()

/** Starts CodeMirror in an element. */
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
        options.language,
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
    destroy: () => view.destroy(),
  }
}

/** Tab indents; Escape makes it leave the editor until something is typed (WCAG 2.1.2, no keyboard trap). */
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

/** Colours are pairs of the design's tokens, so one theme serves light and dark. */
const highlight = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--color-indigo)' },
  { tag: tags.typeName, color: 'var(--color-verdigris)' },
  { tag: [tags.number, tags.atom], color: 'var(--color-walnut)' },
  { tag: tags.string, color: 'var(--color-weld)' },
  { tag: tags.comment, color: 'var(--color-ink-soft)', fontStyle: 'italic' },
  { tag: tags.special(tags.variableName), color: 'var(--color-cochineal)', fontWeight: '600' },
  { tag: tags.function(tags.variableName), color: 'var(--color-madder)' },
])

const theme = EditorView.theme({
  '&': { color: 'var(--color-ink)', backgroundColor: 'transparent', fontSize: 'var(--text-sm)' },
  '&.cm-focused': { outline: '2px solid var(--color-accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--color-ink)', minHeight: '6rem' },
  // Room for the indentation of a body in its frame.
  '.cm-line': { padding: '0 0.75rem 0 4ch' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--color-ink-soft)',
    border: 'none',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.5rem', padding: '0 0.25rem 0 0' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': {
    backgroundColor: 'color-mix(in oklab, var(--color-ink) 5%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--color-accent) 24%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in oklab, var(--color-verdigris) 22%, transparent)',
    outline: 'none',
  },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { color: 'var(--color-madder)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--color-madder) 1.5px',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--color-raised)',
    color: 'var(--color-ink)',
    border: '1px solid var(--color-edge)',
    borderRadius: 'var(--radius-md)',
    maxWidth: '40rem',
  },
  '.cm-diagnostic': { padding: '0.25rem 0.5rem', fontFamily: 'var(--font-sans)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--color-madder)' },
})

/** The editor in the visual language of the site. */
const editorTheme = [theme, syntaxHighlighting(highlight)]

/**
 * The nonce of the page's policy, for libraries that write their own `style` elements; undefined where there is none.
 * Scripts can read it only as this property, never through a style sheet.
 */
function pageNonce(): string | undefined {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined
}
