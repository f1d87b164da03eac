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
    title: `${name}, transformation`,
    description: `What the transformation ${name} takes, and where on chain it is.`,
  }
}

export default async function TransformationPage({ params }: Props) {
  await connection()
  return <CodePage kind="transformation" name={await readName(params)} />
}
