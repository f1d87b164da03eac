'use client'

import { Bookmark, Heart, type LucideIcon, Rss } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { counted, formatInteger } from '#lib/browser/format.ts'
import { Refusal } from '#lib/browser/requests.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { signedInAccount } from '#lib/ui/wallet/prompt.ts'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import { fetchMarks, type Mark, type Marked, sendMark } from './requests.ts'

const WORDS: Readonly<Record<Mark, { icon: LucideIcon; off: string; on: string }>> = {
  like: { icon: Heart, off: 'Like', on: 'Liked' },
  save: { icon: Bookmark, off: 'Save', on: 'Saved' },
  follow: { icon: Rss, off: 'Follow', on: 'Following' },
}

/**
 * Likes, saves or follows something, or takes that back. For a visitor it opens the sign-in dialog, and marks it after that.
 *
 * @param count All such marks on it when the page was rendered; by default they are not shown.
 */
export function MarkButton({
  mark,
  kind,
  name,
  count: before,
  read = fetchMarks,
}: Marked & { readonly mark: Mark; readonly count?: number; readonly read?: typeof fetchMarks }) {
  const state = useSession()
  const account = state.status === 'signed_in' ? state.session.address : undefined
  /** The account's own mark: as it was when first read, and as it is. */
  const [own, setOwn] = useState<{ account: Address; before: boolean; now: boolean }>()
  const { busy, message, act } = useAction(errorMessage)
  const readMarks = useEffectEvent(read)
  const mine = own !== undefined && own.account === account ? own : undefined

  useEffect(() => {
    if (account === undefined) return
    let isUnmounted = false
    readMarks({ kind, name }).then(
      (marks) => {
        const isMarked = marks.includes(mark)
        if (!isUnmounted)
          setOwn((current) =>
            current?.account === account ? current : { account, before: isMarked, now: isMarked },
          )
      },
      () => {
        // Pressing reads it again.
      },
    )
    return () => {
      isUnmounted = true
    }
  }, [account, kind, name, mark])

  const press = async () => {
    const address = await signedInAccount()
    if (address === undefined) return
    const first = mine?.before ?? (await read({ kind, name })).includes(mark)
    const now = account === undefined ? true : !(mine?.now ?? first)
    setOwn({ account: address, before: first, now })
    try {
      await sendMark({ mark, kind, name, on: now })
    } catch (error) {
      setOwn({ account: address, before: first, now: mine?.now ?? first })
      throw error
    }
  }

  const on = mine?.now === true
  const { icon: Icon, ...words } = WORDS[mark]
  const count = before === undefined ? undefined : before + Number(on) - Number(mine?.before === true)
  return (
    <>
      <Button
        aria-pressed={account === undefined ? undefined : on}
        aria-label={count ? `${words.off}, ${counted(count, mark)}` : words.off}
        aria-busy={busy}
        onClick={() => void act(press)}
        className="scripted"
      >
        <Icon aria-hidden="true" className={`size-4 ${on ? 'fill-accent text-accent' : ''}`} />
        {/* Both words take their room, so that nothing moves when the button is pressed. */}
        <span className="grid justify-items-start *:col-start-1 *:row-start-1">
          {[words.off, words.on].map((word) => (
            <span key={word} className={word === (on ? words.on : words.off) ? '' : 'invisible'}>
              {word}
            </span>
          ))}
        </span>
        {count === undefined ? null : (
          // A count of none is not shown, and takes its room all the same.
          <span className={`mono font-normal text-ink-soft ${count === 0 ? 'invisible' : ''}`}>
            {formatInteger(count)}
          </span>
        )}
      </Button>
      {message === undefined ? null : (
        <p role="status" className="w-full text-sm">
          {message}
        </p>
      )}
    </>
  )
}

/** The two buttons of a piece or World, which share one request. */
export function LikeAndSave({ kind, name, likes }: Marked & { readonly likes: number }) {
  const inFlight = useRef<ReturnType<typeof fetchMarks>>(undefined)
  const read: typeof fetchMarks = (marked) => {
    inFlight.current ??= fetchMarks(marked).finally(() => {
      inFlight.current = undefined
    })
    return inFlight.current
  }
  return (
    <>
      <MarkButton mark="like" kind={kind} name={name} count={likes} read={read} />
      <MarkButton mark="save" kind={kind} name={name} read={read} />
    </>
  )
}

function errorMessage(error: unknown): string {
  if (!(error instanceof Refusal)) return 'The site does not answer, so nothing has changed. Try again.'
  if (error.status === 401) return 'Your session has ended. Sign in again.'
  if (error.status === 404) return 'This is not published any more.'
  return error.status === 429 && error.message !== ''
    ? `${error.message}.`
    : 'That did not work. Try again in a moment.'
}
