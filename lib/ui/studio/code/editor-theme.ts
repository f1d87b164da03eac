import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

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
export const editorTheme = [theme, syntaxHighlighting(highlight)]
