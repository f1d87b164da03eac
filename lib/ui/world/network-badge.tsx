import { ShieldCheck } from 'lucide-react'

/** The one promise that holds for every World. */
export function NetworkBadge() {
  return (
    <span
      className="inline-flex min-h-6 items-center gap-1.5 whitespace-nowrap rounded-full border border-verdigris/50 px-2.5 py-0.5 font-medium text-xs"
      title="It loads its own files from this site and can reach nothing else."
    >
      <ShieldCheck className="size-3.5 text-verdigris" aria-hidden="true" />
      Cannot reach the network
    </span>
  )
}
