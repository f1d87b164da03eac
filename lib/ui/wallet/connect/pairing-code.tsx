'use client'

import { encode } from 'uqr'
import { CopyButton } from '#lib/ui/kit/copy-button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'

/** The WalletConnect link as QR code and link. */
export function PairingCode({ uri }: { uri: string }) {
  const { data, size } = encode(uri, { ecc: 'L', border: 2 })
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <div className="space-y-3 text-sm">
      <p>Scan this with your wallet app.</p>
      {/* Cameras need dark on light in both themes. */}
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label="Code to scan with a wallet app"
        shapeRendering="crispEdges"
        className="mx-auto w-full max-w-72 rounded-md"
      >
        <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <p>
        Is the wallet on this device?{' '}
        <a className={textLink} href={uri}>
          Open it
        </a>
        , or copy the link
        <CopyButton text={uri} what="link" />
      </p>
    </div>
  )
}
