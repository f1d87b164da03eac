import type { Metadata } from 'next'
import { connection } from 'next/server'
import { CodePage } from '../../_entity/code-page.tsx'
import { firstOf } from '../../_entity/first-of.ts'
import { readName } from '../../_entity/read-name.ts'

interface Props {
  params: Promise<{ name: string }>
  searchParams: Promise<{ used_after?: string | string[] }>
}

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const name = await readName(params)
  return {
    title: `${name}, transformation`,
    description: `What the transformation ${name} takes, and where on chain it is.`,
  }
}

export default async function TransformationPage({ params, searchParams }: Props) {
  await connection()
  return (
    <CodePage
      kind="transformation"
      name={await readName(params)}
      usedAfter={firstOf((await searchParams).used_after)}
    />
  )
}
