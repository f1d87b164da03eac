/**
 * Goes in front of every script of a World when it is served, on the script's own first line.
 *
 * No policy of today's browsers blocks WebRTC, and the sandbox allows links to be opened in a new tab with a modifier
 * key or the middle button. So, in each realm and before the first statement of the World runs there, the constructors
 * of WebRTC are removed, those clicks lose their default action, and scripts cannot dispatch them.
 *
 * The text must hold as a classic script and as a module, leave no name behind, and not trust any name: a function
 * declared further down is hoisted above it and could stand in for `globalThis`, `Array` or `Event`. At that moment,
 * though, nothing of the World has run, and what it could have put there has no property `Array` that is the
 * constructor of a literal. So the comparison either finds the true global object or throws, and then the script does
 * not run at all. For the same reason everything that is called comes from `document`, which cannot be declared over,
 * or is looked up as a property that a fresh function does not have; and what runs later is bound now.
 */
const SEAL = [
  '{const g=globalThis;',
  `if(g.Array!==[].constructor)throw"Worlds may not declare globalThis or Array";`,
  // Browsers without `Sec-Fetch-Dest` are not redirected to the page that shows the World.
  `if(g.top===g)throw"Worlds run in the frame of a page";`,
  ...['RTCPeerConnection', 'webkitRTCPeerConnection', 'mozRTCPeerConnection'].map(
    (name) => `delete g.${name};`,
  ),
  `if(g.RTCPeerConnection||g.webkitRTCPeerConnection)throw"Worlds have no WebRTC";`,
  // Worklets have neither documents nor links.
  'if(g.document){',
  'const b=f=>f.call.bind(f),',
  'p=b(g.Event.prototype.preventDefault),',
  'l=(i,n)=>b(({}).__lookupGetter__.call(g[i].prototype,n)),',
  '[c,m,s,a]=["ctrlKey","metaKey","shiftKey","altKey"].map(n=>l("MouseEvent",n)),',
  't=l("Event","type"),',
  'T=g.EventTarget.prototype,',
  'd=b(T.dispatchEvent),',
  'on=(t,f)=>g.document.addEventListener.call(g,t,f,true);',
  'on("click",e=>{try{if(c(e)||m(e)||s(e)||a(e))p(e)}catch{}});',
  'on("auxclick",e=>{try{p(e)}catch{}});',
  // Firefox opens a tab for such a click of a script, too, and those need not pass the window.
  'T.dispatchEvent=function dispatchEvent(e){let h;try{h=t(e)=="click"&&(c(e)||m(e)||s(e)||a(e))}catch{}return!h&&d(this,e)}',
  '}}',
].join('')

/** Changes with the text of the prelude, for ETags. */
export const PRELUDE_VERSION = '3'

/**
 * The prefix of a script, chosen by the beginning of its text.
 *
 * @param start The first kilobytes; enough to see whether the script begins with `'use strict'`, which would not be a
 *   directive any more behind the prelude.
 */
export function preludeFor(start: string): string {
  const text = start.startsWith('\ufeff') ? start.slice(1) : start
  // A hashbang is allowed in the very first place only; behind the prelude it becomes a comment.
  if (text.startsWith('#!')) return `${strictDirective(text.replace(/^.*/, ''))}${SEAL}//`
  return `${strictDirective(text)}${SEAL}`
}

const BLANK = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y
const STRING_STATEMENT = /('[^'\\\n\r]*'|"[^"\\\n\r]*")(?:\s*;|[^\S\n\r]*(?=[\n\r}]|\/\/|$))/y

/** The directive to repeat, when the text begins with directives and one of them is `'use strict'`. */
function strictDirective(text: string): string {
  let position = 0
  for (;;) {
    BLANK.lastIndex = position
    BLANK.exec(text)
    STRING_STATEMENT.lastIndex = BLANK.lastIndex
    const literal = STRING_STATEMENT.exec(text)?.[1]
    if (literal === undefined) return ''
    if (literal.slice(1, -1) === 'use strict') return "'use strict';"
    position = STRING_STATEMENT.lastIndex
  }
}
