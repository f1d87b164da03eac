/* What input methods, translators and early typists meet, on a page of its own. */

import { type ChangeEvent, createElement as h, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { PageGuards } from '#lib/ui/frame/page-guards.tsx'

const keys: string[] = []
window.addEventListener('keydown', ({ key }) => keys.push(`window ${key}`))

function Parts() {
  const [playing, setPlaying] = useState(false)
  return h(
    'div',
    { onKeyDown: ({ key }) => keys.push(`parts ${key}`) },
    h('input', { 'aria-label': 'Field' }),
    h('div', {
      'aria-label': 'Editor',
      role: 'textbox',
      contentEditable: true,
      suppressContentEditableWarning: true,
    }),
    h(
      'button',
      { type: 'button', onClick: () => setPlaying(!playing) },
      playing ? 'Stop' : 'Play',
      playing ? null : ' this',
      h('b', null, '!'),
    ),
    h(
      'p',
      { role: 'status' },
      playing ? [h('i', { key: 'a' }, 'on'), ' and on'] : 'quiet',
      h('b', null, '.'),
    ),
  )
}

function Fields() {
  const [text, setText] = useState('')
  const [sort, setSort] = useState('new')
  const [all, setAll] = useState(false)
  return h(
    'form',
    null,
    h('input', {
      'aria-label': 'Search',
      value: text,
      onChange: (event) => setText(event.currentTarget.value),
    }),
    h(
      'select',
      {
        'aria-label': 'Sort',
        value: sort,
        onChange: (event: ChangeEvent<HTMLSelectElement>) => setSort(event.currentTarget.value),
      },
      h('option', { value: 'new' }, 'new'),
      h('option', { value: 'old' }, 'old'),
    ),
    h('input', {
      'aria-label': 'All',
      type: 'checkbox',
      checked: all,
      onChange: (event) => setAll(event.currentTarget.checked),
    }),
    h('output', null, `${text}/${sort}/${all}`),
    h(PageGuards),
  )
}

const served = document.createElement('div')
served.innerHTML =
  '<form><input aria-label="Search" value=""><select aria-label="Sort"><option value="new" selected="">new</option><option value="old">old</option></select><input aria-label="All" type="checkbox"><output>//</output></form>'
served.querySelector('output')!.textContent = '/new/false'
document.body.append(served)
Object.assign(window, { keys, hydrate: () => hydrateRoot(served, h(Fields)) })
createRoot(document.getElementById('root') as HTMLElement).render(h(Parts))
