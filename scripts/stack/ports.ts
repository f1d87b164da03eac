import { createServer } from 'node:net'

/** True when nothing listens on the port of that interface, under either name of the machine itself. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  // `localhost` may lead to either address: a stranger on the other one would get our visitors.
  const hosts = host === '127.0.0.1' || host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  const free = await Promise.all(hosts.map((each) => canListen(port, each)))
  return !free.includes(false)
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    // Machines without IPv6 have no `::1` that could be taken.
    server.once('error', (error) => resolve('code' in error && error.code === 'EADDRNOTAVAIL'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** A port the system picks; free at the moment of the call. */
export function anyFreePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port: 0, host }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The first free port from `first` on. @throws Error when the next hundred are all taken. */
export async function nextFreePort(first: number, host = '127.0.0.1'): Promise<number> {
  for (let port = first; port < Math.min(first + 100, 65_536); port++) {
    if (await isPortFree(port, host)) return port
  }
  throw new Error(`No free port from ${first} to ${first + 99}`)
}
