import { notFound } from 'next/navigation'

/** The name in a page's address; an address with broken encoding has no page. */
export async function readName(params: Promise<{ readonly name: string }>): Promise<string> {
  const { name } = await params
  try {
    return decodeURIComponent(name)
  } catch {
    notFound()
  }
}
