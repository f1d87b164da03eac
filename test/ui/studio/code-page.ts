import { createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { CodeEditor } from '#lib/ui/studio/code/code-editor.tsx'

/*
 * A page with only the code editor, for the browser test. The URL sets the kind and whether it is read-only;
 * `window.setSource` changes the text from outside, as undo of the document does.
 */

declare global {
  var setSource: (source: string) => void
  var undone: number
}

const asked = new URLSearchParams(location.search)
const kind = asked.get('kind') === 'condition' ? 'condition' : 'transformation'
globalThis.undone = 0

function Page() {
  const [source, setSource] = useState(asked.get('source') ?? '')
  globalThis.setSource = setSource
  return createElement(
    'main',
    null,
    createElement('button', { type: 'button', id: 'before' }, 'Before'),
    createElement(CodeEditor, {
      kind,
      name: 'mine',
      source,
      ...(asked.has('readonly') ? {} : { onSource: setSource }),
      ...(asked.has('undo') && {
        onUndo: () => {
          globalThis.undone += 1
          setSource('return 1;')
        },
        onRedo: () => {},
      }),
    }),
    createElement('output', { id: 'source' }, source),
    createElement('button', { type: 'button', id: 'after' }, 'After'),
  )
}

createRoot(document.querySelector('#root') as HTMLElement).render(createElement(Page))
