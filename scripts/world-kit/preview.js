/* The page around a World that is being made: feeds it, listens, and loads it anew when its folder changes. */
/* Of the server of this page, not of this folder. */
const SDK = '/services/js/sdk/world-host.js'
const { createWorldHost, DcnClient } = await import(SDK)

function at(id) {
  return document.getElementById(id)
}
const runs = await (await fetch('/runs.json')).json()
at('connector').append(...runs.map(({ connector }) => new Option(connector)))

let host
let states = 0
/** Steps that the World takes, of those that were recorded. */
let range = { min: 1, max: 64 }

function push() {
  const { connector, streams } = runs[at('connector').selectedIndex]
  const { min, max } = range
  const count = Math.min(max, Math.max(min, Number(at('steps').value) || min))
  states += 1
  host?.pushState({
    requestId: `state-${states}`,
    payload: {
      protocolVersion: 1,
      worldId: host.worldId,
      label: connector,
      surface: 'world-page',
      connectorName: connector,
      connectorNames: [connector],
      particlesCount: count,
      executionMode: 'simulate',
      executeOutput: streams.map(({ path, data }) => ({ path, data: data.slice(0, count) })),
      dynamicRiInput: {},
    },
  })
}

function say({ from, type, fields }) {
  const line = document.createElement('li')
  const who = document.createElement('b')
  who.textContent = `${from === 'world' ? 'World →' : '→ World'} `
  line.append(who, type.replace(/^.*:world-/, ''), ` ${JSON.stringify(fields).slice(0, 160)}`)
  if (type.endsWith('error')) line.className = 'bad'
  at('messages').append(line)
  while (at('messages').childElementCount > 200) at('messages').firstChild.remove()
  at('messages').scrollTop = at('messages').scrollHeight
}

function list(kind, texts) {
  const found = document.createElement('ul')
  found.className = kind
  for (const text of texts) found.append(Object.assign(document.createElement('li'), { textContent: text }))
  return found
}

async function start() {
  const { problems, warnings, manifest, entryUrl } = await (await fetch('/check.json')).json()
  const fine = Object.assign(document.createElement('p'), {
    className: 'fine',
    textContent: 'Ready to be uploaded.',
  })
  at('verdict').replaceChildren(problems.length > 0 ? list('bad', problems) : fine, list('', warnings))
  host?.dispose()
  host = undefined
  at('stage').replaceChildren()
  if (!manifest) return
  document.title = `${manifest.name}: preview`
  document.querySelector('h1').textContent = `${manifest.name} ${manifest.version}`
  const { min = 1, max = 64 } = manifest.valueLimits?.particlesCount ?? {}
  range = { min: Math.min(64, min), max: Math.min(64, max) }
  Object.assign(at('steps'), range, {
    value: Math.min(range.max, Math.max(range.min, Number(at('steps').value))),
  })
  const iframe = document.createElement('iframe')
  const allowed = (name) => manifest.permissions.some((each) => each === name)
  iframe.title = manifest.name
  iframe.setAttribute(
    'sandbox',
    allowed('browser.downloads') ? 'allow-scripts allow-downloads' : 'allow-scripts',
  )
  iframe.allow = allowed('browser.audio') ? 'autoplay *' : ''
  iframe.setAttribute('referrerpolicy', 'no-referrer')
  at('stage').append(iframe)
  host = createWorldHost({
    // Calls need a network: they answer with an error here.
    client: new DcnClient(),
    iframe,
    permissions: manifest.permissions,
    ...(manifest.valueLimits && { valueLimits: manifest.valueLimits }),
    expectedOrigin: 'null',
    targetOrigin: '*',
    onReady: push,
    onMessage: say,
  })
  iframe.src = host.worldUrl(entryUrl)
}

at('connector').addEventListener('change', push)
at('steps').addEventListener('input', push)
at('again').addEventListener('click', start)
let waiting
new EventSource('/changes').addEventListener('message', () => {
  clearTimeout(waiting)
  waiting = setTimeout(start, 150)
})
await start()
