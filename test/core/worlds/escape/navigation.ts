// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are scripts of the World, with templates of their own
import type { Channel } from './channel.ts'
import { anchor, during, element, PLAIN } from './markup.ts'

/** Leading the frame, the page or a new window elsewhere. */
export const NAVIGATION: readonly Channel[] = [
  { name: 'self navigation', script: 'location.href = http' },
  { name: 'self navigation by a link', markup: anchor(''), gesture: 'click' },
  { name: 'navigation API', script: 'navigation.navigate(http)' },
  { name: 'meta refresh', markup: '<meta http-equiv="refresh" content="0;url={http}">' },
  {
    name: 'refresh by script',
    script: element('meta', '{ httpEquiv: "refresh", content: "0;url=" + http }'),
  },
  { name: 'top navigation', alone: true, script: 'top.location.href = http' },
  { name: 'top navigation by a link', markup: anchor('target="_top"'), gesture: 'click' },
  { name: 'new window', alone: true, script: 'open(http)' },
  { name: 'new window by a link', markup: anchor('target="_blank"'), gesture: 'click' },
  { name: 'link with Ctrl', markup: anchor(''), gesture: 'ctrl-click' },
  { name: 'link with Shift', markup: anchor(''), gesture: 'shift-click' },
  { name: 'link with Alt', markup: anchor(''), gesture: 'alt-click' },
  { name: 'link with the middle button', markup: anchor(''), gesture: 'middle-click' },
  { name: 'link with Ctrl and Enter', markup: anchor(''), gesture: 'ctrl-enter' },
  {
    name: 'link with Ctrl in a closed shadow tree',
    markup: '<div id="act" style="position:fixed;inset:0"></div>',
    script:
      'document.getElementById("act").attachShadow({ mode: "closed" }).innerHTML = `<a href="${http}" style="position:fixed;inset:0">leave</a>`',
    gesture: 'ctrl-click',
  },
  {
    name: 'link with Ctrl and a muted preventDefault',
    markup: anchor(''),
    script:
      'Event.prototype.preventDefault = () => {}; Function.prototype.call = () => {}; for (const n of ["ctrlKey", "altKey"]) Object.defineProperty(MouseEvent.prototype, n, { get: () => false })',
    gesture: 'ctrl-click',
  },
  {
    name: 'link with Ctrl and an earlier listener',
    markup: anchor(''),
    script: 'addEventListener("click", (e) => e.stopImmediatePropagation(), true)',
    gesture: 'ctrl-click',
  },
  {
    name: 'link with Ctrl and hoisted names',
    markup: `${anchor('')}<script src="hoist-events.js"></script>`,
    gesture: 'ctrl-click',
  },
  {
    name: 'synthetic click with Ctrl',
    markup: anchor(''),
    script: 'act.dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true }))',
  },
  {
    name: 'synthetic click with Ctrl outside of the page',
    script:
      'const a = document.createElement("a"); a.href = http; a.dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true }))',
  },
  {
    name: 'synthetic click with Shift in a closed shadow tree',
    script:
      'const h = document.createElement("div"); document.body.append(h); const a = document.createElement("a"); a.href = http; h.attachShadow({ mode: "closed" }).append(a); a.dispatchEvent(new MouseEvent("click", { shiftKey: true, bubbles: true, cancelable: true }))',
  },
  {
    name: 'synthetic click with Ctrl inside of an SVG link',
    script:
      'const a = document.createElementNS("http://www.w3.org/2000/svg", "a"); a.setAttribute("href", http); a.append(document.createElementNS("http://www.w3.org/2000/svg", "g")); a.firstChild.dispatchEvent(new PointerEvent("click", { ctrlKey: true, bubbles: true, cancelable: true }))',
  },
  {
    name: 'link into a new window by script',
    alone: true,
    script: 'const a = document.createElement("a"); a.href = http; a.target = "_blank"; a.click()',
  },
  ...(['ctrl-click', 'middle-click'] as const).flatMap((gesture): Channel[] => [
    {
      name: `link outside of the page during ${gesture}`,
      markup: PLAIN,
      script: during('const a = document.createElement("a"); a.href = http; a.click()'),
      gesture,
    },
    {
      name: `form during ${gesture}`,
      markup: PLAIN,
      script: during(
        'const f = document.createElement("form"); f.action = http; document.body.append(f); f.submit()',
      ),
      gesture,
    },
    { name: `new window during ${gesture}`, markup: PLAIN, script: during('open(http)'), gesture },
  ]),
  { name: 'download', markup: anchor('download'), gesture: 'click' },
  { name: 'download with its permission', markup: anchor('download'), gesture: 'click', downloads: true },
  {
    name: 'download by script',
    script: 'const a = document.createElement("a"); a.href = http; a.download = "x"; a.click()',
    downloads: true,
  },
  {
    name: 'link with Alt and the download permission',
    markup: anchor(''),
    gesture: 'alt-click',
    downloads: true,
  },
]
