import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { chainOperations, getChainDocument } from '#lib/server/operations/chain/index.ts'
import { getServicesDocument, servicesOperations } from '#lib/server/operations/services/index.ts'

type Handler = (request: Request) => Promise<Response>

const documented = [...chainOperations, getChainDocument, ...servicesOperations, getServicesDocument]

describe('the route file of each path', () => {
  test.each(documented.map((each) => [each.id, each] as const))('serves %s', async (_id, operation) => {
    const { api, path, method, restParam } = operation
    const folder = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      name === restParam ? `[...${name}]` : `[${name}]`,
    )
    const file = `app/${api}${operation.addition ? '/[[...path]]' : folder}/route.ts`
    expect(existsSync(file), file).toBe(true)
    const route = (await import(/* @vite-ignore */ `../../../${file}`)) as Record<string, Handler>
    const preflight = new Request(`http://localhost/${api}${path.replaceAll(/[{}]/g, '')}`, {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Method': method },
    })
    const response = await route.OPTIONS?.(preflight)
    expect(response?.status).toBe(204)
    expect(response?.headers.get('access-control-allow-methods')).toContain(method)
  })
})
