import { createServices } from '#lib/core/context/services.ts'
import { uploadWorld } from '#lib/core/worlds/publish-world.ts'
import { testConfig } from '#test/support/config.ts'
import { makeBundle } from './bundle.ts'
import { openTestContext } from './context.ts'

/*
 * A separate process that dies in the middle of an upload, as in a power failure: after its first file was stored, and
 * before the World is. Takes the URL of the database and the slug.
 */

const [databaseUrl = '', slug = ''] = process.argv.slice(2)
const services = await createServices(testConfig({ databaseUrl }))
const blobs = {
  ...services.blobs,
  put: async (hash: string, bytes: Uint8Array) => {
    await services.blobs.put(hash, bytes)
    process.kill(process.pid, 'SIGKILL')
  },
}
await uploadWorld(
  openTestContext({ ...services, blobs }, '0x00000000000000000000000000000000000000aa'),
  makeBundle({ slug }),
)
