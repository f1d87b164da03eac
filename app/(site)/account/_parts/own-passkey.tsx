import { Part } from '#lib/ui/components/part.tsx'
import { PasskeyOnly } from './passkey-only.tsx'

/** Shown to accounts of passkeys: use on another device, loss, and how to change to another account. */
export function OwnPasskey() {
  return (
    <PasskeyOnly id="passkey">
      <Part id="passkey" title="Your passkey">
        <dl className="max-w-prose space-y-4 text-sm [&_dt]:font-medium">
          <div>
            <dt>On another device</dt>
            <dd>
              A password manager has your passkey on every device that you use it on: sign in there with “I
              have a passkey for this site”. On a device without it, do the same and choose the phone that has
              the passkey; it scans the code that the browser shows.
            </dd>
          </div>
          <div>
            <dt>When it is lost</dt>
            <dd>
              With all its copies gone nobody can bring this account back, not this site either. What you
              published stays as it is, in the name of this account; nothing can be published in its name any
              more. So see today that your password manager keeps a copy elsewhere.
            </dd>
          </div>
          <div>
            <dt>To a wallet, or to another passkey</dt>
            <dd>
              That is another account: what is published cannot be moved. Save your unpublished work with
              Export in the studio, sign out, sign in with the other, and open the file there. Do it while you
              still have the passkey.
            </dd>
          </div>
        </dl>
      </Part>
    </PasskeyOnly>
  )
}
