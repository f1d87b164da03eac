'use client'

import { Heart } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Piece } from '../../people/social/marks.ts'
import type { Address } from '../../protocol/entity.ts'
import { Button } from '../components/button.tsx'
import { counted, formatInteger } from '../components/format.ts'
import { prompt } from '../wallet/prompt.ts'
import { siteSession } from '../wallet/session/browser-store.ts'
import { Refusal } from '../wallet/session/requests.ts'
import { useSession } from '../wallet/session/use-session.ts'
import { fetchMarks, sendMark } from './requests.ts'

/**
 * Likes a piece, or takes the like back. For a visitor it opens the sign-in dialog, and likes the piece after it.
 *
 * @param likes All likes of the piece when the page was rendered.
 */
export function LikeButton({ kind, name, likes }: Piece & { readonly likes: number }) {
  const state = useSession()
  const account = state.status === 'signed_in' ? state.session.address : undefined
  /** The account's own like: as it was when first read, and as it is. */
  const [own, setOwn] = useState<{ account: Address; before: boolean; now: boolean }>()
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string>()
  const mine = own !== undefined && own.account === account ? own : undefined

  useEffect(() => {
    if (account === undefined) return
    let left = false
    fetchMarks({ kind, name }).then(
      (marks) => {
        const liked = marks.includes('like')
        if (!left)
          setOwn((known) => (known?.account === account ? known : { account, before: liked, now: liked }))
      },
      () => {
        // Pressing reads it again.
      },
    )
    return () => {
      left = true
    }
  }, [account, kind, name])

  const press = async () => {
    setTrouble(undefined)
    setBusy(true)
    try {
      if (account === undefined && !(await prompt('sign_in'))) return
      const session = siteSession.getState()
      if (session.status !== 'signed_in') return
      const { address } = session.session
      const before = mine?.before ?? (await fetchMarks({ kind, name })).includes('like')
      const now = account === undefined ? true : !(mine?.now ?? before)
      setOwn({ account: address, before, now })
      try {
        await sendMark({ mark: 'like', kind, name, on: now })
      } catch (error) {
        setOwn({ account: address, before, now: mine?.now ?? before })
        throw error
      }
    } catch (error) {
      setTrouble(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }

  const liked = mine?.now === true
  const count = likes + Number(liked) - Number(mine?.before === true)
  return (
    <>
      <Button
        aria-pressed={account === undefined ? undefined : liked}
        aria-label={`Like, ${counted(count, 'like')}`}
        aria-busy={busy}
        onClick={() => {
          if (!busy) void press()
        }}
        className="scripted"
      >
        <Heart aria-hidden="true" className={`size-4 ${liked ? 'fill-accent text-accent' : ''}`} />
        {liked ? 'Liked' : 'Like'}
        <span className="mono font-normal text-ink-soft">{formatInteger(count)}</span>
      </Button>
      {trouble === undefined ? null : (
        <p role="status" className="w-full text-sm">
          {trouble}
        </p>
      )}
    </>
  )
}

function errorMessage(error: unknown): string {
  if (!(error instanceof Refusal)) return 'The site does not answer, so nothing has changed. Try again.'
  if (error.status === 401) return 'Your session has ended. Sign in again to like this.'
  if (error.status === 404) return 'This is not published any more.'
  return error.status === 429 && error.message !== ''
    ? `${error.message}.`
    : 'That did not work. Try again in a moment.'
}
