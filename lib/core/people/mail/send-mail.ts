import type { Transporter } from 'nodemailer'
import type { Services } from '#lib/core/context/context.ts'
import type { Config } from '#lib/platform/config.ts'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { repeat } from '#lib/platform/repeat.ts'
import { isLoopback } from '#lib/protocol/dev-chain.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { listNotices } from '../notices.ts'
import { namesOf } from '../users.ts'
import { confirmationMail, type Mail, noticesMail } from './messages.ts'

const POLL_MS = 5_000
/** Between two e-mails: at most 60 a minute. */
const PACE_MS = 1_000
/** While the mail server does not answer, or refuses this site. */
const UNAVAILABLE_MS = 60_000
/** Notices that one e-mail lists. */
const MAX_LISTED = 20
/** An e-mail is given up after so many attempts. */
const MAX_ATTEMPTS = 5

export interface MailSender {
  /** Sends one e-mail. @throws Error of the transport. */
  send(mail: Mail, to: string): Promise<void>
  close(): void
}

/** Undefined where the operator sends no e-mail. Loads the library only where it is needed. */
export async function createMailSender({ mail }: Pick<Config, 'mail'>): Promise<MailSender | undefined> {
  const { smtpUrl, from } = mail
  if (smtpUrl === undefined || from === undefined) return undefined
  const { createTransport } = await import('nodemailer')
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const transport: Transporter = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    // A password never travels in the clear, except within this machine.
    requireTLS: !secure && !isLoopback(url.hostname),
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ subject, text, unsubscribeUrl }, to) => {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      })
    },
    close: () => transport.close(),
  }
}

/** Sends confirmations and notices until the signal, where the operator sends e-mail. Logs failures and retries. */
export async function sendMail(
  { config, log }: Pick<Services, 'config' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const sender = await createMailSender(config)
  if (sender === undefined) return
  const db = createDatabase(config.databaseUrl, { max: 1 })
  const message = 'Failed to read which e-mails are due, retrying'
  await repeat(signal, { log, message, retryMs: UNAVAILABLE_MS }, async () => {
    const { result, error } = await sendNextMail(db, sender, config)
    if (error !== undefined) log.warn({ err: error, result }, 'Failed to send an e-mail')
    return { none: POLL_MS, unavailable: UNAVAILABLE_MS, sent: PACE_MS, failed: PACE_MS }[result]
  })
  sender.close()
  await db.close()
}

interface Due {
  readonly account: Address
  readonly address: string
  readonly key: string
  readonly confirmed: boolean
  /** Notices between these two times, as the database writes them. */
  readonly read_to: string
  readonly until: string
  readonly attempts: number
}

/** @returns What became of the e-mail that is due longest; `none` where none is. */
export async function sendNextMail(
  db: Database,
  sender: MailSender,
  config: Pick<Config, 'siteOrigin' | 'site'>,
): Promise<{ readonly result: 'none' | 'sent' | 'failed' | 'unavailable'; readonly error?: unknown }> {
  const { sql } = db
  // Another process takes it over after ten minutes. Notices are read up to a moment ago: younger ones may still commit.
  const [due] = await sql<Due[]>`
    with due as (
      select account from emails where due_at <= now() order by due_at limit 1 for update skip locked
    )
    update emails e set due_at = now() + interval '10 minutes', attempts = attempts + 1
    from due where e.account = due.account
    returning e.account, address, key, confirmed_at is not null as confirmed, read_to::text,
      (now() - interval '10 seconds')::text as until, attempts`
  if (due === undefined) return { result: 'none' }
  try {
    const mail = await mailFor(db, due, config)
    if (mail !== undefined) await sender.send(mail, due.address)
    await settleSent(db, due, mail !== undefined)
    return { result: 'sent' }
  } catch (error) {
    return { result: await settleFailed(db, due, error), error }
  }
}

/** Undefined where everything was seen, removed or hidden in the meantime. */
async function mailFor(
  db: Database,
  { account, key, confirmed, read_to, until }: Due,
  config: Pick<Config, 'siteOrigin' | 'site'>,
): Promise<Mail | undefined> {
  if (!confirmed) return confirmationMail(config, key)
  const found = await listNotices(
    { db },
    { account, limit: MAX_LISTED + 1, between: { after: read_to, until } },
  )
  const fresh = found.filter(({ isNew }) => isNew)
  if (fresh.length === 0) return undefined
  const names = await namesOf(
    { db },
    fresh.map(({ actor }) => actor),
  )
  return noticesMail(config, key, {
    notices: fresh.slice(0, MAX_LISTED),
    more: fresh.length > MAX_LISTED,
    names,
  })
}

async function settleSent({ sql: pool }: Database, due: Due, sent: boolean): Promise<void> {
  await pool.begin(async (sql) => {
    // A notice that is written now locks the row: the statement below has to see it.
    await sql`select 1 from emails where key = ${due.key} for update`
    await sql`
      update emails e set attempts = 0,
        sent_at = case when ${sent} then now() else sent_at end,
        read_to = case when ${due.confirmed} then ${due.until}::timestamptz else read_to end,
        due_at = case
          when confirmed_at is not null and exists (
            select from notices where account = e.account
              and created_at > case when ${due.confirmed} then ${due.until}::timestamptz else e.read_to end
          ) then now() + interval '1 hour' end
      where key = ${due.key}`
  })
}

/** Codes and commands of errors before a recipient is named. */
const OF_SERVER =
  /^(ECONNECTION|ETIMEDOUT|ESOCKET|EDNS|EAUTH|ENOAUTH|ETLS|CONN|EHLO|HELO|LHLO|STARTTLS|AUTH.*|MAIL FROM)$/

async function settleFailed(
  { sql }: Database,
  { key, attempts }: Due,
  error: unknown,
): Promise<'failed' | 'unavailable'> {
  const {
    code = '',
    command = '',
    responseCode = 0,
  } = error as {
    code?: string
    command?: string
    responseCode?: number
  }
  if (OF_SERVER.test(code) || OF_SERVER.test(command)) {
    // It says nothing about this address: the attempt does not count.
    await sql`
      update emails set attempts = attempts - 1, due_at = now() + interval '5 minutes' where key = ${key}`
    return 'unavailable'
  }
  const gone = command === 'RCPT TO' && responseCode >= 500
  if (gone || attempts >= MAX_ATTEMPTS) {
    const reason = gone ? 'the mail server says that there is no such address' : 'it could not be delivered'
    await sql`update emails set due_at = null, attempts = 0, stopped = ${reason} where key = ${key}`
    return 'failed'
  }
  // 5, 20, 80 minutes, five hours.
  await sql`
    update emails set due_at = now() + interval '5 minutes' * ${4 ** (attempts - 1)}::int where key = ${key}`
  return 'failed'
}
