#!/usr/bin/env node
import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'

/*
 * Starts Firefox for Playwright and relays WebDriver BiDi between the two. Playwright sends commands that the
 * long-term releases of Firefox do not have yet; none of them matters to the tests, so they are answered here.
 */

const UNSUPPORTED = new Set(['emulation.setMediaFeaturesOverride'])
const LISTENING = /^WebDriver BiDi listening on (ws:\/\/\S+)/

const firefox = spawn(process.env.FIREFOX_PATH ?? 'firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => firefox.kill(signal))
firefox.on('exit', (code) => process.exit(code ?? 1))

createInterface({ input: firefox.stderr }).on('line', (line) => {
  const address = LISTENING.exec(line)?.[1]
  if (address === undefined) return void process.stderr.write(`${line}\n`)
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () => {
    const { port } = server.address() as AddressInfo
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`)
  })
  server.on('connection', (client, request) => relay(client, new WebSocket(address + (request.url ?? ''))))
})

function relay(client: WebSocket, browser: WebSocket): void {
  const waiting: string[] = []
  browser.on('open', () => {
    for (const text of waiting.splice(0)) browser.send(text)
  })
  client.on('message', (data) => {
    const text = String(data)
    const { id, method } = JSON.parse(text)
    if (UNSUPPORTED.has(method)) client.send(JSON.stringify({ type: 'success', id, result: {} }))
    else if (browser.readyState === WebSocket.CONNECTING) waiting.push(text)
    else browser.send(text)
  })
  browser.on('message', (data) => client.send(String(data)))
  client.on('close', () => browser.close())
  browser.on('close', () => client.close())
  browser.on('error', () => client.close())
}
