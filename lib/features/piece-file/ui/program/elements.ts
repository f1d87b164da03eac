/** An element with attributes and content; strings are text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...content)
  return made
}

export function button(label: string, onPress: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button' }, label)
  made.addEventListener('click', onPress)
  return made
}

/** A range with its name and its value. */
export function slider(
  name: string,
  { min, max, value }: { readonly min: number; readonly max: number; readonly value: number },
  onValue: (value: number) => void,
): HTMLLabelElement {
  const shown = element('output', {}, String(value))
  const range = { min: String(Math.min(min, value)), max: String(Math.max(max, value)) }
  const input = element('input', { type: 'range', step: '1', 'aria-label': name, ...range })
  input.value = String(value)
  input.addEventListener('input', () => {
    shown.textContent = input.value
    onValue(Number(input.value))
  })
  return element('label', {}, element('span', {}, name), input, shown)
}

export function facts(rows: readonly (readonly [name: string, value: string])[]): HTMLElement {
  return element(
    'dl',
    {},
    ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  )
}
