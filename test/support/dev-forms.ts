/** Presses a button of the feed page's development panel, as a script beside the browser. */
export async function sendDevForm(
  site: string,
  tool: 'publish' | 'mine' | 'reorganise',
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await fetch(`${site}/dev/chain/${tool}`, {
    method: 'POST',
    headers: { origin: new URL(site).origin, accept: 'application/json' },
    body: new URLSearchParams(fields),
  })
  const { message } = (await response.json()) as { message: string }
  if (!response.ok) throw new Error(`${tool}: ${response.status} ${message}`)
  return message
}

/** Publishes a small transformation; returns its name. */
export async function publishSample(site: string): Promise<string> {
  const message = await sendDevForm(site, 'publish')
  return /sample_[a-z]+/.exec(message)?.[0] as string
}
