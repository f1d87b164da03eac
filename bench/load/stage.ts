import postgres from 'postgres'
import type { CodeArtifact } from '../../lib/domain/artifact.ts'
import { type BenchPostgres, startBenchPostgres } from '../network/postgres.ts'
import { type BenchProgram, startBenchProgram } from '../network/program.ts'
import { type Filled, fill, type Size } from './fill.ts'
import { simulationOf } from './mix.ts'
import type { Publication, SeedCode } from './network.ts'

/** The built program over a large network of its own. */
export interface Stage {
  readonly program: BenchProgram
  readonly origin: string
  readonly databaseUrl: string
  /** Generated publications, chosen evenly. */
  readonly sample: readonly Publication[]
  /** Connectors among them that run. */
  readonly runnable: readonly Publication[]
  readonly seconds: number
  close(): Promise<void>
}

const BLOCKS = 20_000
/** Above any that the development chain reaches: to mine so many takes longer than to fill the database. */
const FIRST_BLOCK = 1_000_000
const RUN_PARTICLES = 64
const RUNNABLE = 60

export async function openStage(size: Size): Promise<Stage> {
  const server = await startBenchPostgres()
  let program: BenchProgram | undefined
  try {
    const databaseUrl = await server.newDatabase('program')
    program = await startBenchProgram(databaseUrl, { MAX_STREAMS_PER_CLIENT: '10000' })
    const filled = await fillIn(program, databaseUrl, size)
    const runnable = await runnableOf(program, filled.sample)
    return stageOf(server, program, databaseUrl, filled, runnable)
  } catch (error) {
    await program?.close()
    await server.close()
    throw error
  }
}

async function fillIn(program: BenchProgram, databaseUrl: string, size: Size): Promise<Filled> {
  const { chainId, registry } = program.endpoints
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    return await fill(sql, {
      size,
      seeds: await seedsIn(sql),
      chainId,
      registry,
      firstBlock: FIRST_BLOCK,
      blocks: BLOCKS,
    })
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The compiled bodies of the example network. */
async function seedsIn(sql: postgres.Sql): Promise<SeedCode[]> {
  const rows = await sql<{ body: CodeArtifact }[]>`
    select body from artifacts where kind in ('transformation', 'condition') order by kind, name`
  return rows
    .map(({ body: { kind, name, argsCount, runtime } }) => ({
      kind,
      argsCount,
      runtime,
      gentle: kind === 'transformation' && name === 'add',
    }))
    .filter(({ argsCount }) => argsCount <= 4)
}

async function runnableOf(program: BenchProgram, sample: readonly Publication[]): Promise<Publication[]> {
  const found: Publication[] = []
  for (const publication of sample) {
    if (publication.artifact.kind !== 'connector') continue
    const { method, path, body } = simulationOf(publication, RUN_PARTICLES)
    const { status } = await program.client.request(method, path, body)
    if (status === 200) found.push(publication)
    if (found.length >= RUNNABLE) break
  }
  if (found.length === 0) throw new Error('no generated connector runs')
  return found
}

function stageOf(
  server: BenchPostgres,
  program: BenchProgram,
  databaseUrl: string,
  { sample, seconds }: Filled,
  runnable: readonly Publication[],
): Stage {
  return {
    program,
    origin: program.endpoints.site.replace('localhost', '127.0.0.1'),
    databaseUrl,
    sample,
    runnable,
    seconds,
    async close() {
      await program.close()
      await server.close()
    },
  }
}
