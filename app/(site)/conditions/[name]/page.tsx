import type { Metadata } from 'next'
import { connection } from 'next/server'
import { CodePage } from '../../_entity/code-page.tsx'
import { readName } from '../../_entity/read-name.ts'

interface Props {
  params: Promise<{ name: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const name = await readName(params)
  return {
    title: `${name}, condition`,
    description: `What the condition ${name} takes, and where on chain it is.`,
  }
}

export default async function ConditionPage({ params }: Props) {
  await connection()
  return <CodePage kind="condition" name={await readName(params)} />
}
