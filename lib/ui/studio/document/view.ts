import { type StudioView, type Tab, tabKey } from './types.ts'

/** Brings a tab to the front; opens it at the end when it is not open. */
export function withTab(view: StudioView, tab: Tab): StudioView {
  const key = tabKey(tab)
  const known = view.tabs.some((other) => tabKey(other) === key)
  if (known && view.active === key) return view
  return { ...view, tabs: known ? view.tabs : [...view.tabs, tab], active: key }
}

/** Closes a tab. When it was in front, its neighbour takes its place. */
export function withoutTab(view: StudioView, key: string): StudioView {
  const index = view.tabs.findIndex((tab) => tabKey(tab) === key)
  if (index === -1) return view
  const tabs = view.tabs.filter((_, place) => place !== index)
  if (view.active !== key) return { ...view, tabs }
  const next = tabs[Math.min(index, tabs.length - 1)]
  return { ...view, tabs, active: next === undefined ? null : tabKey(next) }
}
