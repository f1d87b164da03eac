import { request } from 'node:http'
import { request as requestSafely } from 'node:https'

/** Bytes of a page's own answer on the line, its head included, compressed as for a browser. */
export function pageBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: 'text/html', 'Accept-Encoding': 'gzip, deflate, br' }
    const ask = url.startsWith('https:') ? requestSafely : request
    const asked = ask(url, { headers, agent: false }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.socket.bytesRead))
      answer.once('error', reject)
    })
    asked.once('error', reject)
    asked.end()
  })
}
