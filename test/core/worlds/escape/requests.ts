// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are scripts of the World, with templates of their own
import type { Channel } from './channel.ts'
import { css, element, link } from './markup.ts'

/** Interfaces of scripts that send requests, and resources that documents load. */
export const REQUESTS: readonly Channel[] = [
  { name: 'fetch', script: 'fetch(http, { mode: "no-cors" })' },
  {
    name: 'fetch keepalive',
    script: 'fetch(http, { method: "POST", body: "x", mode: "no-cors", keepalive: true })',
  },
  { name: 'fetchLater', script: 'fetchLater(http, { activateAfter: 0 })' },
  { name: 'XMLHttpRequest', script: 'const x = new XMLHttpRequest(); x.open("GET", http); x.send()' },
  { name: 'sendBeacon', script: 'navigator.sendBeacon(http, "x")' },
  { name: 'WebSocket', script: 'new WebSocket("ws://" + host)' },
  { name: 'WebSocketStream', script: 'new WebSocketStream("ws://" + host)' },
  { name: 'EventSource', script: 'new EventSource(http)' },
  { name: 'WebTransport', script: 'new WebTransport("https://" + host)' },
  { name: 'image', script: 'new Image().src = http' },
  { name: 'image srcset', script: element('img', '{ srcset: http + " 2x" }') },
  { name: 'SVG image', script: 'document.body.innerHTML = `<svg><image href="${http}"/></svg>`' },
  {
    name: 'SVG filter image',
    script:
      'document.body.innerHTML = `<svg><filter id=f><feImage href="${http}"/></filter><rect width=9 height=9 filter="url(#f)"/></svg>`',
  },
  { name: 'audio', script: element('audio', '{ src: http, preload: "auto" }') },
  { name: 'video poster', script: element('video', '{ poster: http }') },
  {
    name: 'text track',
    script:
      'document.body.innerHTML = `<video crossorigin="anonymous" src="data:video/mp4,"><track default kind=captions src="${http}"></video>`; document.querySelector("track").track.mode = "showing"',
  },
  { name: 'input image', script: element('input', '{ type: "image", src: http }') },
  { name: 'favicon', script: link('icon') },
  { name: 'web app manifest', script: link('manifest') },
  { name: 'stylesheet', script: link('stylesheet') },
  { name: 'CSS import', script: css('@import url("${http}");') },
  { name: 'CSS background', script: css('body { background: url("${http}") }') },
  { name: 'CSS image-set', script: css('body { background: image-set("${http}" 1x) }') },
  { name: 'CSS cursor', script: css('body { cursor: url("${http}"), auto }') },
  {
    name: 'CSS font',
    script: `${css('@font-face { font-family: f; src: url("${http}") } body { font-family: f }')}; document.body.append('text')`,
  },
  { name: 'FontFace', script: 'new FontFace("g", `url(${http})`).load()' },
  { name: 'script', script: element('script', '{ src: http }') },
  { name: 'dynamic import', script: 'import(http)' },
  { name: 'module import', module: 'import "{http}"' },
  { name: 'JSON import', script: 'import(http, { with: { type: "json" } })' },
  { name: 'preload', script: link('preload', 'as: "image"') },
  { name: 'modulepreload', script: link('modulepreload') },
  { name: 'prefetch', script: link('prefetch') },
  { name: 'preconnect', script: link('preconnect') },
  {
    name: 'preconnect in the markup',
    markup: '<link rel="preconnect" href="{http}">',
  },
  {
    name: 'speculation rules',
    script:
      'const s = document.createElement("script"); s.type = "speculationrules"; s.textContent = JSON.stringify({ prefetch: [{ urls: [http], eagerness: "immediate" }] }); document.head.append(s)',
  },
  { name: 'compression dictionary', script: link('compression-dictionary') },
  {
    name: 'payment request',
    script:
      'new PaymentRequest([{ supportedMethods: http.replace("http:", "https:") }], { total: { label: "x", amount: { currency: "USD", value: "1" } } }).canMakePayment()',
  },
  {
    name: 'federated credentials',
    script: 'navigator.credentials.get({ identity: { providers: [{ configURL: http, clientId: "x" }] } })',
  },
  { name: 'attribution source', script: element('img', '{ attributionSrc: http }') },
]
