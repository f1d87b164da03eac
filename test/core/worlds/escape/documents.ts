// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are scripts of the World, with templates of their own
import type { Channel } from './channel.ts'
import { element } from './markup.ts'

/** Documents inside of documents, and other places where scripts run. */
export const DOCUMENTS: readonly Channel[] = [
  {
    name: 'form',
    script: 'const f = document.createElement("form"); f.action = http; document.body.append(f); f.submit()',
  },
  {
    name: 'form into a new window',
    alone: true,
    script:
      'const f = document.createElement("form"); f.action = http; f.target = "_blank"; document.body.append(f); f.submit()',
  },
  {
    name: 'link ping',
    markup: '<a id="act" href="#x" ping="{http}" style="position:fixed;inset:0">ping</a>',
    gesture: 'click',
  },
  { name: 'frame', script: element('iframe', '{ src: http }') },
  { name: 'srcdoc frame with an image', script: element('iframe', '{ srcdoc: `<img src="${http}">` }') },
  {
    name: 'srcdoc frame with a script',
    script: element('iframe', '{ srcdoc: `<script>fetch("${http}", {mode:"no-cors"})</scr` + `ipt>` }'),
  },
  {
    name: 'srcdoc frame with a refresh',
    script: element('iframe', '{ srcdoc: `<meta http-equiv=refresh content="0;url=${http}">` }'),
  },
  {
    name: 'javascript: frame',
    script: element('iframe', '{ src: `javascript:fetch("${http}",{mode:"no-cors"})` }'),
  },
  { name: 'data: frame', script: element('iframe', '{ src: `data:text/html,<img src="${http}">` }') },
  {
    name: 'blob: frame',
    script: element(
      'iframe',
      '{ src: URL.createObjectURL(new Blob([`<img src="${http}">`], { type: "text/html" })) }',
    ),
  },
  {
    name: 'about:blank frame',
    script:
      'const f = document.createElement("iframe"); document.body.append(f); f.contentWindow.fetch(http, { mode: "no-cors" })',
  },
  {
    name: 'frameset',
    alone: true,
    script: 'document.documentElement.innerHTML = `<frameset><frame src="${http}"></frameset>`',
  },
  { name: 'object', script: element('object', '{ data: http }') },
  { name: 'embed', script: element('embed', '{ src: http }') },
  {
    name: 'fenced frame',
    script:
      'const f = document.createElement("fencedframe"); f.config = new FencedFrameConfig(http); document.body.append(f)',
  },
  {
    name: 'blob worker',
    script: 'new Worker(URL.createObjectURL(new Blob([`fetch("${http}",{mode:"no-cors"})`])))',
  },
  {
    name: 'worker importScripts',
    script: 'new Worker(URL.createObjectURL(new Blob([`importScripts("${http}")`])))',
  },
  {
    name: 'shared worker',
    script: 'new SharedWorker(URL.createObjectURL(new Blob([`fetch("${http}",{mode:"no-cors"})`])))',
  },
  { name: 'service worker', script: 'navigator.serviceWorker.register("sw.js?" + http)' },
  { name: 'audio worklet', script: 'new AudioContext().audioWorklet.addModule(http)' },
  { name: 'paint worklet', script: 'CSS.paintWorklet.addModule(http)' },
  {
    name: 'inline script',
    script:
      'const s = document.createElement("script"); s.textContent = `fetch("${http}",{mode:"no-cors"})`; document.head.append(s)',
  },
  { name: 'eval', script: 'setTimeout(`fetch("${http}",{mode:"no-cors"})`)' },
  {
    name: 'blob script',
    script:
      'const s = document.createElement("script"); s.src = URL.createObjectURL(new Blob([`new RTCPeerConnection({iceServers:[{urls:"stun:${ip}:${port}"}]}).createDataChannel("x")`])); document.head.append(s); new Image().src = http',
  },
  {
    name: 'WebAssembly',
    script:
      'const bytes = Uint8Array.of(0,97,115,109,1,0,0,0,1,4,1,96,0,0,2,7,1,1,109,1,102,0,0,8,1,0); WebAssembly.instantiate(bytes, { m: { f: () => fetch(http, { mode: "no-cors" }) } })',
  },
]
