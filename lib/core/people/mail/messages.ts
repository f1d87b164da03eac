import type { Config } from '#lib/platform/config.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { Notice } from '../notices.ts'

/** An e-mail in plain text. */
export interface Mail {
  readonly subject: string
  readonly text: string
  /** Takes one POST without a session, as RFC 8058 has it. */
  readonly unsubscribeUrl: string
}

type Words = Pick<Config, 'siteOrigin' | 'site'>

/** Asks for the confirmation of an address. */
export function confirmationMail({ siteOrigin, site }: Words, key: string): Mail {
  return {
    subject: `Confirm your e-mail address for ${site.name}`,
    text: `An account of ${site.name} asked to send its notices to this address. To agree, open this page and press Confirm:

${siteOrigin}/email/${key}

If that was not you, ignore this e-mail: nothing else is sent here.
`,
    unsubscribeUrl: unsubscribeUrl(siteOrigin, key),
  }
}

const VERBS = { built: 'builds on your', remixed: 'is a remix of your' } as const

/** Lists notices. Names are written by other accounts: what could pretend to be another line is left out of them. */
export function noticesMail(
  { siteOrigin, site }: Words,
  key: string,
  {
    notices,
    more,
    names,
  }: { notices: readonly Notice[]; more: boolean; names: ReadonlyMap<Address, string> },
): Mail {
  const lines = notices.map(({ what, actor, of, by }) => {
    const person = oneLine(names.get(actor) ?? actor)
    if (what === 'followed' || of === undefined || by === undefined) {
      return `- ${person} follows you\n  ${siteOrigin}/users/${actor}`
    }
    const page = `${siteOrigin}/${by.kind}s/${encodeURIComponent(by.name)}`
    return `- ${oneLine(by.title ?? by.name)} by ${person} ${VERBS[what]} ${of.kind === 'world' ? 'World' : of.kind} ${oneLine(of.title ?? of.name)}\n  ${page}`
  })
  const count = more ? `More than ${notices.length}` : String(notices.length)
  return {
    subject: `${count} new ${notices.length === 1 ? 'notice' : 'notices'} on ${site.name}`,
    text: `${lines.join('\n\n')}

All notices: ${siteOrigin}/notices
No more e-mails: ${siteOrigin}/email/${key}
`,
    unsubscribeUrl: unsubscribeUrl(siteOrigin, key),
  }
}

function unsubscribeUrl(siteOrigin: string, key: string): string {
  return `${siteOrigin}/email/${key}/unsubscribe`
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
}
