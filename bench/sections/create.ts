import type { BuiltArtifact } from '../../lib/domain/artifact.ts'
import { buildConnector } from '../../lib/domain/creation-checks.ts'
import { runSolc } from '../../lib/solidity/solc.ts'
import { connectorContract } from '../network/compiled-connector.ts'
import type { BenchProgram } from '../network/program.ts'
import { CONNECTORS } from '../network/shapes.ts'
import { definitionRequest } from '../network/wire.ts'
import type { Options } from '../options.ts'
import { ms } from '../support/format.ts'
import { alternate, median } from '../support/measure.ts'
import type { Report } from '../support/report.ts'

/** Creating connectors through the API against compiling a contract for each. */
export async function create(
  report: Report,
  artifacts: ReadonlyMap<string, BuiltArtifact>,
  program: BenchProgram,
  { rounds }: Options,
): Promise<void> {
  report.heading('Creating')
  const definition = CONNECTORS.find(({ name }) => name === 'S3C3')!
  await program.post('/transformation', { name: own('Add'), sol_src: 'return x + args[0];' })
  let created = 0
  const taken = await alternate(
    [
      {
        name: 'compiled',
        work: () => {
          const { errors = [] } = runSolc(connectorContract(definition))
          const error = errors.find(({ severity }) => severity === 'error')
          if (error) throw new Error(error.message)
        },
      },
      {
        name: 'connector',
        work: () =>
          program.post(
            '/connector',
            definitionRequest(definition, (name) => own(name === 'S3C3' ? `n${created++}` : name)),
          ),
        repeat: 30,
      },
      {
        name: 'built',
        work: () => buildConnector(definition, (kind, name) => artifacts.get(`${kind}/${name}`)),
        repeat: 100,
      },
      {
        name: 'transformation',
        work: (round) =>
          program.post('/transformation', {
            name: own(`t${round}`),
            sol_src: `return x + args[0] + ${round + 1};`,
          }),
      },
    ],
    { rounds },
  )
  const at = (name: string) => median(taken.get(name)!)
  report.table(
    ['what', 'median'],
    [
      ['solc: a contract for the connector S3C3', ms(at('compiled'))],
      ['POST /chain/connector, S3C3, whole request', ms(at('connector'))],
      ['building it, checks and hashes, without HTTP and database', ms(at('built'))],
      ['POST /chain/transformation, a new body, whole request', ms(at('transformation'))],
    ],
  )
  report.goal(
    'create',
    at('compiled') / at('connector'),
    `whole request ${ms(at('connector'))} against ${ms(at('compiled'))} of solc alone`,
  )
}

const own = (name: string) => `create_${name}`
