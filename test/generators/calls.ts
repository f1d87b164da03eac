/*
 * The same ten operations, as each generator lets them be written. A call returns the status and what came.
 */

export interface Generator {
  readonly name: string
  /** Packages with versions, for a folder of their own. */
  readonly packages: readonly string[]
  /** Files to write before generating, for one API. */
  readonly config?: (api: string, url: string) => { readonly file: string; readonly text: string }
  /** The command line after `npx`, for one API. */
  readonly command: (api: string) => readonly string[]
  /** Its program: `calls` is an array of functions that resolve to a status and a value. */
  readonly program: (site: string) => string
}

export const EXPECTED = [200, 200, 200, 200, 404, 200, 200, 200, 200, 200]

export const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
    command: (api) => ['openapi-typescript', `${api}.json`, '-o', `${api}.d.ts`],
    program: (site) => `
import createClient from 'openapi-fetch'
import type { paths as Chain } from './chain.d.ts'
import type { paths as Services } from './services.d.ts'

const chain = createClient<Chain>({ baseUrl: '${site}/chain' })
const services = createClient<Services>({ baseUrl: '${site}/services' })
const named = (name: string) => ({ params: { path: { name } } })
const run = { body: { connector_name: 'pitch', particles_count: 4 } }
const told = async (sent: Promise<{ response: Response; data?: unknown; error?: unknown }>) => {
  const { response, data, error } = await sent
  return [response.status, data ?? error] as const
}
export const calls = [
  () => told(chain.GET('/version')),
  () => told(chain.GET('/nonce/{address}', { params: { path: { address: '${ACCOUNT}' } } })),
  () => told(chain.GET('/connector/{name}', named('pitch'))),
  () => told(chain.GET('/transformation/{name}', named('add'))),
  () => told(chain.GET('/connector/{name}', named('nobody_made_this'))),
  () => told(chain.GET('/feed', { params: { query: { limit: 2 } } })),
  () => told(chain.GET('/formats', { params: { query: { limit: 2 } } })),
  async () => {
    const { response, data } = await chain.POST('/simulate', run)
    return [response.status, data?.[0]?.data] as const
  },
  async () => {
    const { response, data } = await chain.POST('/execute', run)
    return [response.status, data?.particles[0]?.data] as const
  },
  () => told(services.GET('/worlds')),
]
`,
  },
  {
    name: '@hey-api/openapi-ts',
    packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@6.0.3'],
    command: (api) => ['openapi-ts', '-i', `${api}.json`, '-o', api],
    program: (site) => `
import * as chain from './chain/index.ts'
import { client as chainClient } from './chain/client.gen'
import * as services from './services/index.ts'
import { client as servicesClient } from './services/client.gen'

chainClient.setConfig({ baseUrl: '${site}/chain' })
servicesClient.setConfig({ baseUrl: '${site}/services' })
const named = (name: string) => ({ path: { name } })
const run = { body: { connector_name: 'pitch', particles_count: 4 } }
const told = async (sent: Promise<{ response?: Response; data?: unknown; error?: unknown }>) => {
  const { response, data, error } = await sent
  return [response?.status, data ?? error] as const
}
export const calls = [
  () => told(chain.getVersion()),
  () => told(chain.getNonce({ path: { address: '${ACCOUNT}' } })),
  () => told(chain.getConnector(named('pitch'))),
  () => told(chain.getTransformation(named('add'))),
  () => told(chain.getConnector(named('nobody_made_this'))),
  () => told(chain.getFeed({ query: { limit: 2 } })),
  () => told(chain.getFormats({ query: { limit: 2 } })),
  async () => {
    const { response, data } = await chain.postSimulate(run)
    return [response?.status, data?.[0]?.data] as const
  },
  async () => {
    const { response, data } = await chain.postExecute(run)
    return [response?.status, data?.particles[0]?.data] as const
  },
  () => told(services.getWorlds()),
]
`,
  },
  {
    name: 'orval',
    packages: ['orval@8.38.0', 'typescript@6.0.3'],
    config: (api, url) => ({
      file: `${api}.config.mjs`,
      text: `export default { ${api}: { input: '${api}.json', output: { target: '${api}/client.ts', client: 'fetch', baseUrl: '${url}' } } }`,
    }),
    command: (api) => ['orval', '--config', `${api}.config.mjs`],
    program: () => `
import * as chain from './chain/client'
import * as services from './services/client'

const run = { connector_name: 'pitch', particles_count: 4 }
const told = async (sent: Promise<{ status: number; data: unknown }>) => {
  const { status, data } = await sent
  return [status, data] as const
}
export const calls = [
  () => told(chain.gETVersion()),
  () => told(chain.gETNonce('${ACCOUNT}')),
  () => told(chain.gETConnector('pitch')),
  () => told(chain.gETTransformation('add')),
  () => told(chain.gETConnector('nobody_made_this')),
  () => told(chain.gETFeed({ limit: 2 })),
  () => told(chain.gETFormats({ limit: 2 })),
  async () => {
    const answer = await chain.pOSTSimulate(run)
    return [answer.status, answer.status === 200 ? answer.data[0]?.data : undefined] as const
  },
  async () => {
    const answer = await chain.pOSTExecute(run)
    return [answer.status, answer.status === 200 ? answer.data.particles[0]?.data : undefined] as const
  },
  () => told(services.gETWorlds()),
]
`,
  },
  {
    name: '@kubb/cli',
    packages: ['cli', 'core', 'plugin-oas', 'plugin-ts', 'plugin-client'].map(
      (part) => `@kubb/${part}@4.39.3`,
    ),
    config: (api, url) => ({
      file: `${api}.config.mjs`,
      text: `
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
export default defineConfig({ input: { path: '${api}.json' }, output: { path: '${api}' }, plugins: [pluginOas(), pluginTs(),
  pluginClient({ client: 'fetch', baseURL: '${url}', dataReturnType: 'full', bundle: true })] })`,
    }),
    command: (api) => ['kubb', 'generate', '--config', `${api}.config.mjs`],
    program: () => `
import * as chain from './chain/index.ts'
import * as services from './services/index.ts'

const run = { connector_name: 'pitch', particles_count: 4 }
// Its client sends text without saying that it is JSON.
const json = { headers: { 'Content-Type': 'application/json' } }
const told = async (sent: Promise<{ status: number; data: unknown }>) => {
  const { status, data } = await sent
  return [status, data] as const
}
export const calls = [
  () => told(chain.GETVersion()),
  () => told(chain.GETNonce('${ACCOUNT}')),
  () => told(chain.GETConnector('pitch')),
  () => told(chain.GETTransformation('add')),
  () => told(chain.GETConnector('nobody_made_this')),
  () => told(chain.GETFeed({ limit: 2 })),
  () => told(chain.GETFormats({ limit: 2 })),
  async () => {
    const { status, data } = await chain.POSTSimulate(run, json)
    return [status, data[0]?.data] as const
  },
  async () => {
    const { status, data } = await chain.POSTExecute(run, {}, json)
    return [status, data.particles[0]?.data] as const
  },
  () => told(services.GETWorlds()),
]
`,
  },
]

/** Of openapi-generator, by the last package that carries the program itself; the later ones download it. */
export const PYTHON = {
  name: 'openapi-generator, Python',
  packages: ['@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2'],
  jar: 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar',
  program: (site: string) => `
import json, sys
for api in ("chain", "services"):
    sys.path.insert(0, api)
import weft_chain, weft_services

def client(module, api):
    return module.ApiClient(module.Configuration(host="${site}/" + api))

chain, services = client(weft_chain, "chain"), client(weft_services, "services")
run = weft_chain.ExecuteRequest(connector_name="pitch", particles_count=4)
connectors = weft_chain.ConnectorApi(chain)
calls = [
    lambda: weft_chain.CoreApi(chain).g_et_version(),
    lambda: weft_chain.AuthApi(chain).g_et_nonce("${ACCOUNT}"),
    lambda: connectors.g_et_connector("pitch"),
    lambda: weft_chain.TransformationApi(chain).g_et_transformation("add"),
    lambda: connectors.g_et_connector("nobody_made_this"),
    lambda: weft_chain.FeedApi(chain).g_et_feed(2),
    lambda: weft_chain.FormatApi(chain).g_et_formats(2),
    lambda: weft_chain.RunnerApi(chain).p_ost_simulate(run)[0].data,
    lambda: weft_chain.RunnerApi(chain).p_ost_execute(run).particles[0].data,
    lambda: weft_services.WorldsApi(services).g_et_worlds(),
]
for call in calls:
    try:
        print(json.dumps([200, str(call())]))
    except weft_chain.ApiException as refusal:
        print(json.dumps([refusal.status, refusal.body]))
`,
} as const
