/** Statement that appends an element with these properties, in the language of the World. */
export const element = (tag: string, attributes: string) =>
  `document.body.append(Object.assign(document.createElement('${tag}'), ${attributes}))`

/** Statement that appends a link of this kind to the trap. */
export const link = (rel: string, more = '') => element('link', `{ rel: '${rel}', href: http, ${more} }`)

/** Statement that adds a style sheet. */
export const css = (rule: string) =>
  `const s = document.createElement('style'); s.textContent = \`${rule}\`; document.head.append(s)`

/** A link to the trap all over the page. */
export const anchor = (attributes: string) =>
  `<a id="act" href="{http}" ${attributes} style="position:fixed;inset:0">leave</a>`

/** Something to click on that does nothing by itself. */
export const PLAIN = '<div id="act" style="position:fixed;inset:0">x</div>'

/** Statement that runs `code` while a mouse button is at work. */
export const during = (code: string) =>
  `for (const t of ['mousedown', 'click', 'auxclick']) addEventListener(t, () => { ${code} })`
