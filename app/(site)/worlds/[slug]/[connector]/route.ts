/** A short address of a World fed by a connector. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ slug: string; connector: string }> },
): Promise<Response> {
  const { slug, connector } = await params
  const query = new URLSearchParams({ connector })
  return new Response(null, {
    status: 307,
    headers: { Location: `/worlds/${encodeURIComponent(slug)}?${query}` },
  })
}

export const dynamic = 'force-dynamic'
