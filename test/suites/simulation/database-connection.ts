import { createServer, connect as dial, type Socket } from 'node:net'
import type { Sql } from 'postgres'
import { listen } from '#test/support/listen.ts'

/** Fate of the next statement. */
export type DatabaseOrder =
  | 'pass'
  /** The server refuses the statement. */
  | 'error'
  /** The connection breaks before the statement arrives. */
  | 'cut before'
  /** The statement runs, and the connection breaks before the answer arrives. */
  | 'cut after'

/** A way to the real PostgreSQL that waits for an order before every statement. */
export interface DatabaseConnection {
  readonly url: string
  /** Breaks all connections as the death of the process would; resolves when the server has noticed. */
  cut(): Promise<void>
  close(): Promise<void>
}

/** SQLSTATE of the rejections: transient errors. */
export const REFUSAL_CODE = '53200'

/** Runs on the server, so that the error comes in its place among the answers of a pipeline and aborts a transaction. */
const REFUSED_STATEMENT = `do $$ begin raise 'out of memory' using errcode = '${REFUSAL_CODE}'; end $$`

export async function connectDatabase(
  url: string,
  admin: Sql,
  order: (what: string) => Promise<DatabaseOrder>,
): Promise<DatabaseConnection> {
  const target = new URL(url)
  const links = new Set<Link>()
  const server = createServer((client) => {
    const link = new Link(client, dial(Number(target.port), target.hostname), order, async () => {
      await link.gone(admin)
      links.delete(link)
    })
    links.add(link)
  })
  const port = await listen(server)
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String(port)
  const cut = async () => {
    await Promise.all([...links].map((link) => link.cut()))
  }
  return {
    url: own.href,
    cut,
    close: async () => {
      server.close()
      await cut()
    },
  }
}

/** Ends a connection; resolves when the other side has noticed, so that what it does next does not depend on the hour. */
function hungUp(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) return resolve()
    const giveUp = setTimeout(() => socket.destroy(), 1000)
    socket.once('close', () => {
      clearTimeout(giveUp)
      setImmediate(resolve)
    })
    socket.end()
  })
}

/** Messages that the server refuses, ended as the client ended the group that they replace. */
function refusal(last: string): Buffer {
  const message = (type: string, text: string) => {
    const bytes = Buffer.alloc(5 + text.length)
    bytes.write(type)
    bytes.writeUInt32BE(4 + text.length, 1)
    bytes.write(text, 5)
    return bytes
  }
  if (last === 'Q') return message('Q', `${REFUSED_STATEMENT}\0`)
  return Buffer.concat([
    message('P', `\0${REFUSED_STATEMENT}\0\0\0`),
    message('B', '\0'.repeat(8)),
    message('E', '\0'.repeat(5)),
    message(last, ''),
  ])
}

/** One connection, read message by message in both directions. */
class Link {
  readonly #client: Socket
  readonly #server: Socket
  readonly #order: (what: string) => Promise<DatabaseOrder>
  readonly #ended: () => Promise<void>
  #fromClient = Buffer.alloc(0)
  #fromServer = Buffer.alloc(0)
  #group: Buffer[] = []
  #groups = Promise.resolve()
  #started = false
  #ready = false
  #pid = 0
  /** Groups that the server has not finished answering. */
  #unanswered = 0
  #cutWhenReady: (() => void) | undefined
  /** SQL of the statements the client gave names to. */
  readonly #statements = new Map<string, string>()
  #end: Promise<void> | undefined

  constructor(
    client: Socket,
    server: Socket,
    order: (what: string) => Promise<DatabaseOrder>,
    ended: () => Promise<void>,
  ) {
    this.#client = client
    this.#server = server
    this.#order = order
    this.#ended = ended
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => void this.cut())
    }
    client.on('data', (data: Buffer) => {
      if (this.#end === undefined) this.#readClient(data)
    })
    server.on('data', (data: Buffer) => this.#readServer(data))
  }

  cut(): Promise<void> {
    this.#end ??= (async () => {
      this.#server.destroy()
      this.#cutWhenReady?.()
      await hungUp(this.#client)
      await this.#ended()
    })()
    return this.#end
  }

  /** Waits until the server has let go of the session and of its locks. */
  async gone(admin: Sql): Promise<void> {
    if (this.#pid === 0) return
    for (;;) {
      const [row] = await admin`
        select pg_terminate_backend(pid) from pg_stat_activity where pid = ${this.#pid}
        union all select true from pg_locks where pid = ${this.#pid}`
      if (row === undefined) return
    }
  }

  #readClient(data: Buffer): void {
    this.#fromClient = Buffer.concat([this.#fromClient, data])
    for (;;) {
      const header = this.#started ? 1 : 0
      if (this.#fromClient.length < header + 4) return
      const size = header + this.#fromClient.readUInt32BE(header)
      if (this.#fromClient.length < size) return
      const message = this.#fromClient.subarray(0, size)
      this.#fromClient = this.#fromClient.subarray(size)
      this.#clientMessage(message)
    }
  }

  #clientMessage(message: Buffer): void {
    const type = this.#started ? String.fromCharCode(message[0] as number) : 'startup'
    this.#started = true
    if (!this.#ready || type === 'X') {
      this.#server.write(message)
      return
    }
    this.#group.push(message)
    // A statement is complete when the client waits for the answer: after Sync, Flush or a simple query.
    if (!['S', 'H', 'Q'].includes(type)) return
    const group = Buffer.concat(this.#group)
    this.#group = []
    this.#groups = this.#groups.then(() => this.#forward(group, type))
  }

  async #forward(group: Buffer, last: string): Promise<void> {
    // Statements of a pipeline that the connection did not live to send.
    if (this.#end) return
    const text = this.#statementIn(group)
    const order = await this.#order(text)
    if (this.#end) return
    if (order === 'cut before') return this.cut()
    // After Flush the client sends its Sync only when it has the answer, and the server answers that.
    if (last !== 'H') this.#unanswered += 1
    const cut =
      order === 'cut after' &&
      last !== 'H' &&
      new Promise<void>((resolve) => {
        this.#cutWhenReady = resolve
      })
    // A commit cannot be refused and leave the transaction open.
    const refused = order === 'error' && !/^(commit|rollback)/i.test(text)
    this.#server.write(refused ? refusal(last) : group)
    if (!cut) return
    await cut
    return this.cut()
  }

  #readServer(data: Buffer): void {
    this.#fromServer = Buffer.concat([this.#fromServer, data])
    while (this.#fromServer.length >= 5) {
      const size = 1 + this.#fromServer.readUInt32BE(1)
      if (this.#fromServer.length < size) break
      const type = String.fromCharCode(this.#fromServer[0] as number)
      if (type === 'K') this.#pid = this.#fromServer.readUInt32BE(5)
      if (type === 'Z') {
        // The first one ends the startup.
        if (this.#ready) this.#unanswered -= 1
        this.#ready = true
      }
      this.#fromServer = this.#fromServer.subarray(size)
    }
    if (this.#cutWhenReady) {
      if (this.#unanswered === 0) this.#cutWhenReady()
      return
    }
    this.#client.write(data)
  }

  /** The first words of the SQL in a group of messages. */
  #statementIn(group: Buffer): string {
    const type = String.fromCharCode(group[0] as number)
    const [first = '', second = ''] = group.subarray(5).toString('latin1').split('\0', 2)
    const shown = (sql: string) => sql.replaceAll(/\s+/g, ' ').trim().slice(0, 60)
    if (type === 'P') this.#statements.set(first, second)
    if (type === 'P') return shown(second)
    // A bind names the portal first, then the statement.
    if (type === 'B') return shown(this.#statements.get(second) ?? '')
    return type === 'Q' ? shown(first) : `message ${type}`
  }
}
