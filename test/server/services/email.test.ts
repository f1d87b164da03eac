import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '#lib/core/context/context.ts'
import { deleteUser } from '#lib/core/people/account-status.ts'
import { follow } from '#lib/core/people/follows.ts'
import { createMailSender, type MailSender, sendNextMail } from '#lib/core/people/mail/send-mail.ts'
import {
  confirmByKey,
  subscribe,
  subscriptionOf,
  unsubscribe,
  unsubscribeByKey,
} from '#lib/core/people/mail/subscription.ts'
import { updateProfile } from '#lib/core/people/update-profile.ts'
import { readConfig } from '#lib/platform/config.ts'
import { isEmailAddress } from '#lib/protocol/email-address.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { type ServicesApi, startServicesApi } from './harness.ts'
import { newPerson } from './people.ts'

interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly headers: string
  readonly text: string
}

let api: ServicesApi
let server: SMTPServer
let sender: MailSender
let received: Received[] = []
/** Answer to the next recipients, by code. */
let refusal: number | undefined
let ada: Context
let account: Address
let reader: string

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => {
      done(refusal === undefined ? null : Object.assign(new Error('refused'), { responseCode: refusal }))
    },
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const message = Buffer.concat(parts).toString()
        const end = message.indexOf('\r\n\r\n')
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        const text = message
          .slice(end + 4)
          .replaceAll('=\r\n', '')
          .replaceAll('=3D', '=')
        received.push({ from, to, headers: message.slice(0, end), text })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  const mail = {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: { name: 'Weft', address: 'notices@weft.example' },
  }
  api = await startServicesApi({ mail })
  sender = (await createMailSender({ mail })) as MailSender
})
afterAll(async () => {
  sender?.close()
  await api?.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
beforeEach(async () => {
  ada = await newAccount()
  account = ada.session?.address as Address
  reader = `reader-${account.slice(2, 12)}@mail.example`
})
afterEach(async () => {
  received = []
  refusal = undefined
  await api.db.sql`delete from emails`
})

async function newAccount(): Promise<Context> {
  const address = (await newPerson(api)).address.toLowerCase() as Address
  return { ...api.services, session: { id: '', address, roles: [] } } as unknown as Context
}

/** Sends what is due, as if the time of every rest had passed. */
async function sendAll(): Promise<string[]> {
  await api.db.sql`update emails set due_at = now() where due_at is not null`
  await api.db.sql`update notices set created_at = created_at - interval '1 minute'`
  await api.db.sql`update emails set read_to = read_to - interval '1 minute'`
  const results: string[] = []
  for (;;) {
    const { result } = await sendNextMail(api.services.db, sender, api.services.config)
    if (result === 'none') return results
    results.push(result)
  }
}

function keyIn(mail: Received | undefined): string {
  return /\/email\/([\w-]{22})/.exec(mail?.text ?? '')?.[1] ?? ''
}

async function confirmed(): Promise<string> {
  await subscribe(ada, { address: reader })
  await sendAll()
  const key = keyIn(received.pop())
  expect(await confirmByKey(api.services, key)).toBe(true)
  return key
}

test('an address gets a link first, notices only after it was confirmed, and none after one press', async () => {
  const ben = await newAccount()
  await updateProfile(ben, {
    address: ben.session?.address as Address,
    profile: { nickname: 'Ben\u202e Bcc: x@y.example' },
  })
  await subscribe(ada, { address: reader })
  expect(await sendAll()).toEqual(['sent'])
  expect(received[0]).toMatchObject({ from: 'notices@weft.example', to: [reader] })
  const key = keyIn(received[0])
  await follow(ben, { followedId: account })
  expect(await sendAll()).toEqual([])
  expect(await subscriptionOf(ada, account)).toMatchObject({ confirmed: false })

  expect(await confirmByKey(api.services, key)).toBe(true)
  await follow(await newAccount(), { followedId: account })
  expect(await sendAll()).toEqual(['sent'])
  const mail = received[1]
  expect(mail?.headers).toContain('Subject: 2 new notices on Weft')
  expect(mail?.headers).toContain(`List-Unsubscribe: <http://localhost:3000/email/${key}/unsubscribe>`)
  expect(mail?.headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(mail?.text).not.toContain('\u202e')
  expect(mail?.to).toEqual([reader])
  // Nothing new: nothing is sent again.
  await api.db.sql`update emails set due_at = now()`
  expect(await sendAll()).toEqual(['sent'])
  expect(received).toHaveLength(2)

  expect(await unsubscribeByKey(api.services, key)).toBe(true)
  await follow(await newAccount(), { followedId: account })
  expect(await sendAll()).toEqual([])
  expect(await subscriptionOf(ada, account)).toBeUndefined()
  expect(await confirmByKey(api.services, key)).toBe(false)
})

test('one e-mail an hour: what comes meanwhile is sent together', async () => {
  await confirmed()
  await follow(await newAccount(), { followedId: account })
  await sendAll()
  for (let n = 0; n < 3; n++) await follow(await newAccount(), { followedId: account })
  const [row] = await api.db.sql<{ minutes: number }[]>`
    select extract(epoch from due_at - now())::float8 / 60 as minutes from emails`
  expect(row?.minutes).toBeGreaterThan(50)
  await sendAll()
  expect(received.map(({ headers }) => /Subject: (.*)/.exec(headers)?.[1])).toEqual([
    '1 new notice on Weft',
    '3 new notices on Weft',
  ])
})

test('a mailbox that is full is tried five times, one that does not exist once, with a reason for its account', async () => {
  const results: string[] = []
  await confirmed()
  await follow(await newAccount(), { followedId: account })
  refusal = 452
  for (let n = 0; n < 7; n++) results.push(...(await sendAll()))
  expect(results).toEqual(Array(5).fill('failed'))
  expect((await subscriptionOf(ada, account))?.stopped).toBe('it could not be delivered')
  refusal = undefined
  await follow(await newAccount(), { followedId: account })
  expect(await sendAll()).toEqual([])
  await subscribe(ada, { address: reader })
  refusal = 550
  expect(await sendAll()).toEqual(['failed'])
  expect((await subscriptionOf(ada, account))?.stopped).toContain('no such address')
})

test('a mail server that is away costs no attempts', async () => {
  await confirmed()
  await follow(await newAccount(), { followedId: account })
  const away = await createMailSender({
    mail: { smtpUrl: 'smtp://127.0.0.1:1', from: { name: '', address: 'a@b.example' } },
  })
  await api.db.sql`update notices set created_at = created_at - interval '1 minute'`
  await api.db.sql`update emails set read_to = read_to - interval '2 minutes'`
  for (let n = 0; n < 7; n++) {
    await api.db.sql`update emails set due_at = now()`
    const { result } = await sendNextMail(api.services.db, away as MailSender, api.services.config)
    expect(result).toBe('unavailable')
  }
  expect(await sendAll()).toEqual(['sent'])
})

describe('nobody is flooded', () => {
  test('an address gets three confirmations a day, an account causes five', async () => {
    const refused = { code: 'too_many' }
    for (let n = 0; n < 3; n++)
      await subscribe(await newAccount(), { address: `Victim-${account}@mail.example` })
    await expect(subscribe(ada, { address: `victim-${account}@mail.example` })).rejects.toMatchObject(refused)
    for (let n = 0; n < 5; n++) await subscribe(ada, { address: `${n}-${reader}` })
    await expect(subscribe(ada, { address: `5-${reader}` })).rejects.toMatchObject(refused)
  })

  test('only addresses are written to', async () => {
    const none = [
      ...['a@b', 'a b@c.example', 'a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example'],
      ...['"a"@b.example', 'A <a@b.example>', 'a@b.example>', 'a..b@c.example', '.a@c.example'],
      ...['ä@b.example', `${'a'.repeat(65)}@b.example`, `a@${'b'.repeat(64)}.example`, 'a@-b.example'],
    ]
    expect(none.filter(isEmailAddress)).toEqual([])
    const some = ["o'neil+weft@sub.mail.example", 'a.b-c_d@xn--bcher-kva.example']
    expect(some.filter(isEmailAddress)).toEqual(some)
    for (const address of none.slice(0, 4)) {
      await expect(subscribe(ada, { address })).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })
})

test('without a mail server nothing can be set up; with an account its address goes', async () => {
  const off = { ...ada, config: { ...ada.config, mail: { smtpUrl: undefined, from: undefined } } }
  await expect(subscribe(off, { address: reader })).rejects.toMatchObject({ code: 'not_found' })
  expect(await createMailSender(off.config)).toBeUndefined()
  await subscribe(ada, { address: reader })
  await unsubscribe(ada)
  expect(await sendAll()).toEqual([])
  const key = await confirmed()
  await deleteUser(ada, { address: account })
  expect(await confirmByKey(api.services, key)).toBe(false)
})

test('the settings belong together, and a refused one is not repeated in the message', () => {
  const needed = {
    DATABASE_URL: 'postgres://x@localhost/x',
    CHAIN_TOKEN_KEY: 'ab'.repeat(32),
    SESSION_KEY: 'cd'.repeat(32),
  }
  const set = { SMTP_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'Weft <notices@weft.example>' }
  expect(readConfig({ ...needed, ...set }).mail.from).toEqual({
    name: 'Weft',
    address: 'notices@weft.example',
  })
  expect(() => readConfig({ ...needed, SMTP_URL: set.SMTP_URL })).toThrow('MAIL_FROM is missing')
  const wrong = {
    SMTP_URL: 'http://u:secret@mail.example',
    MAIL_FROM: 'Weft <a@b.example>\nBcc: c@d.example',
  }
  expect(() => readConfig({ ...needed, ...wrong })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('secret') }),
  )
  expect(() => readConfig({ ...needed, ...wrong })).toThrow('MAIL_FROM must be an address')
})
