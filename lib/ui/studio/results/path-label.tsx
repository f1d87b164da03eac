/** The last segment says which scalar it is; what leads to it steps back. */
export function PathLabel({ path }: { path: string }) {
  const cut = path.lastIndexOf('/')
  return (
    <span className="mono line-clamp-3 text-sm [overflow-wrap:anywhere]" title={path}>
      {cut > 0 ? <span className="block text-ink-soft text-xs">{path.slice(0, cut)}</span> : null}
      <span className="font-medium">{path.slice(Math.max(0, cut))}</span>
    </span>
  )
}
