/** An element with attributes and content; strings are text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...content)
  return node
}

export function button(label: string, onPress: () => void): HTMLButtonElement {
  const node = element('button', { type: 'button' }, label)
  node.addEventListener('click', onPress)
  return node
}

/** A range with its name and its value. */
export function slider(
  name: string,
  { min, max, value }: { readonly min: number; readonly max: number; readonly value: number },
  onValue: (value: number) => void,
): HTMLLabelElement {
  const output = element('output', {}, String(value))
  const range = { min: String(Math.min(min, value)), max: String(Math.max(max, value)) }
  const input = element('input', { type: 'range', step: '1', 'aria-label': name, ...range })
  input.value = String(value)
  input.addEventListener('input', () => {
    output.textContent = input.value
    onValue(Number(input.value))
  })
  return element('label', {}, element('span', {}, name), input, output)
}

export function facts(rows: readonly (readonly [name: string, value: string])[]): HTMLElement {
  return element(
    'dl',
    {},
    ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  )
}
