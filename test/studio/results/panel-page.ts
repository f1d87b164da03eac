/* The results panel on a page of its own, driven from outside by `show`. */

import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { ResultsPanel, type ResultsPanelProps } from '../../../lib/ui/studio/results/results-panel.tsx'

export type Shown = Pick<ResultsPanelProps, 'run' | 'blocked' | 'explanation'>

/** The page's API for its test driver. */
export interface PanelPage {
  show: (shown: Shown) => void
  /** Name and arguments of every handler that was called. */
  calls: unknown[][]
}

const page = window as unknown as PanelPage
const root = createRoot(document.getElementById('root')!)
page.calls = []
function note(name: string) {
  return (...args: unknown[]) => {
    page.calls.push([name, ...args])
  }
}
const handlers = {
  onExplain: note('explain'),
  onCancel: note('cancel'),
  onAgain: note('again'),
  onShow: note('show'),
}

page.show = (shown) => root.render(createElement(ResultsPanel, { ...shown, ...handlers }))
