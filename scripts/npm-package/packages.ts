import { buildClientPackage, buildCommandPackage, buildVerifyPackage } from '../client-package/pack.ts'
import { buildCreateWorldPackage } from '../create-world/pack.ts'

/**
 * The packages of this repository. None is in a registry, where `weft` alone belongs to others: sites serve their tarballs.
 */
export const PACKAGES = [
  { name: '@weft/client', tarball: 'weft-client.tgz', build: buildClientPackage },
  { name: '@weft/cli', tarball: 'weft-cli.tgz', build: buildCommandPackage },
  { name: '@weft/verify', tarball: 'weft-verify.tgz', build: buildVerifyPackage },
  { name: '@weft/create-world', tarball: 'weft-create-world.tgz', build: buildCreateWorldPackage },
] as const
