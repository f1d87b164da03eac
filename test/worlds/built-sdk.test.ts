import { expect, test } from 'vitest'
import { builtModule, SDK_MODULES } from '../../lib/worlds/sdk/built-module.ts'

test.each(Object.keys(SDK_MODULES))('%s is served without imports', async (name) => {
  expect((await builtModule(name))?.text).not.toMatch(/^import\b/m)
})

test.each(['world-client.js', '__proto__', 'constructor', '../runtime.ts', ''])(
  'there is no module %j',
  async (name) => {
    expect(await builtModule(name)).toBeUndefined()
  },
)
