/** Statement that appends an element with these properties, in the language of the World. */
export function element(tag: string, attributes: string) {
  return `document.body.append(Object.assign(document.createElement('${tag}'), ${attributes}))`
}

/** Statement that appends a link of this kind to the trap. */
export function link(rel: string, more = '') {
  return element('link', `{ rel: '${rel}', href: http, ${more} }`)
}

/** Statement that adds a style sheet. */
export function css(rule: string) {
  return `const s = document.createElement('style'); s.textContent = \`${rule}\`; document.head.append(s)`
}

/** A link to the trap all over the page. */
export function anchor(attributes: string) {
  return `<a id="act" href="{http}" ${attributes} style="position:fixed;inset:0">leave</a>`
}

/** A click target without an action. */
export const PLAIN = '<div id="act" style="position:fixed;inset:0">x</div>'

/** Statement that runs `code` while a mouse button is at work. */
export function during(code: string) {
  return `for (const t of ['mousedown', 'click', 'auxclick']) addEventListener(t, () => { ${code} })`
}
