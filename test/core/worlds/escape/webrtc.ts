// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are scripts of the World, with templates of their own
import type { Channel } from './channel.ts'

/** Peer connections, which no policy of browsers holds back. */
export const WEBRTC: readonly Channel[] = [
  {
    name: 'WebRTC STUN over UDP',
    script:
      'const p = new RTCPeerConnection({ iceServers: [{ urls: `stun:${ip}:${port}` }] }); p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o))',
  },
  {
    name: 'WebRTC TURN over TCP',
    script:
      'const p = new RTCPeerConnection({ iceServers: [{ urls: `turn:${ip}:${port}?transport=tcp`, username: "u", credential: "c" }] }); p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o))',
  },
  {
    name: 'WebRTC to a peer',
    script: `(async () => { const a = new RTCPeerConnection(), b = new RTCPeerConnection(); a.createDataChannel('x'); await a.setLocalDescription(await a.createOffer()); await b.setRemoteDescription(a.localDescription); await b.setLocalDescription(await b.createAnswer()); await a.setRemoteDescription(b.localDescription); await a.addIceCandidate({ candidate: 'candidate:1 1 udp 2122260223 ' + ip + ' ' + port + ' typ host', sdpMid: '0', sdpMLineIndex: 0 }) })()`,
  },
  {
    name: 'WebRTC of a frame',
    script:
      'const f = document.createElement("iframe"); document.body.append(f); const p = new f.contentWindow.RTCPeerConnection({ iceServers: [{ urls: `stun:${ip}:${port}` }] }); p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o))',
  },
  {
    name: 'WebRTC of a srcdoc frame',
    script:
      'self.leak = (w) => { const p = new w.RTCPeerConnection({ iceServers: [{ urls: `stun:${ip}:${port}` }] }); p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o)) }; const f = document.createElement("iframe"); f.srcdoc = "<p>x"; f.onload = () => leak(f.contentWindow); document.body.append(f)',
  },
  {
    name: 'WebRTC in a srcdoc frame',
    script:
      'const f = document.createElement("iframe"); f.srcdoc = `<script src="${new URL("rtc.js", document.baseURI)}?ip=${ip}&port=${port}"></scr` + `ipt>`; document.body.append(f)',
  },
  {
    name: 'WebRTC in a module that shadows its prelude',
    markup: '<script type="module" src="shadow.js?ip={ip}&port={port}"></script>',
  },
  {
    name: 'WebRTC in a script that hoists over its prelude',
    markup: '<script src="hoist.js?ip={ip}&port={port}"></script>',
  },
  {
    name: 'WebRTC in a module that imports its own names',
    markup: '<script type="module" src="names.js?ip={ip}&port={port}"></script>',
  },
  {
    name: 'WebRTC in an SVG document',
    markup: '<meta http-equiv="refresh" content="0;url=rtc.svg?ip={ip}&port={port}">',
  },
  {
    name: 'WebRTC in an XML document',
    markup: '<meta http-equiv="refresh" content="0;url=rtc.xml?ip={ip}&port={port}">',
  },
]

/** Shared by the scripts below: opens a peer connection towards the trap named in the query of the script. */
const RTC = `
  const query = new URL(SOURCE).searchParams
  const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + query.get('ip') + ':' + query.get('port') }] })
  p.createDataChannel('x')
  p.createOffer().then((o) => p.setLocalDescription(o))`

/** Files beside the page that some channels load. */
export const EXTRA_FILES: Readonly<Record<string, string>> = {
  'rtc.js': `{${RTC.replace('SOURCE', 'document.currentScript.src')}}`,
  'hoist.js': `function globalThis() {}\nfunction Array() {}\n{${RTC.replace('SOURCE', 'document.currentScript.src')}}`,
  'hoist-events.js': `function addEventListener() {}\nfunction Event() {}\nfunction MouseEvent() {}\nfunction Reflect() {}`,
  'shadow.js': `function globalThis() {}\nfunction Array() {}\n${RTC.replace('SOURCE', 'import.meta.url')}`,
  'names.js': `import * as globalThis from './names.js'\nexport function Array() {}\nif (import.meta.url.includes('?')) {${RTC.replace('SOURCE', 'import.meta.url')}}`,
  'rtc.svg': `<svg xmlns="http://www.w3.org/2000/svg"><script href="rtc-location.js"/></svg>`,
  'rtc.xml': `<html xmlns="http://www.w3.org/1999/xhtml"><body><script src="rtc-location.js"></script></body></html>`,
  'rtc-location.js': `{${RTC.replace('SOURCE', 'location.href')}}`,
  'sw.js': `fetch(decodeURIComponent(location.search.slice(1)), { mode: 'no-cors' })`,
}
