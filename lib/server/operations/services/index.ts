import { features } from '#lib/features/index.ts'
import { documentOperation } from '../../http/openapi.ts'
import { defineOperation, type Operation } from '../../http/operation.ts'
import { getPublications, postPublicationBatch, postPublicationPreparation } from '../studio/publication.ts'
import { postWorldImport } from '../studio/world-imports.ts'
import { servicesDocument } from './document.ts'
import { getFollowers, getFollowing, postFollow, postUnfollow } from './follows.ts'
import { postChallenge, postVerify } from './sign-in.ts'
import { deleteUserAccount, getMe, getUser, getUsers, patchUser, postLogout } from './users.ts'
import { getSdkModule, getWorldAsset, headWorldAsset } from './world-assets.ts'
import { getWorldBundle } from './world-bundles.ts'
import {
  deleteWorldById,
  getWorld,
  getWorlds,
  patchWorld,
  postWorldUpload,
  postWorldValidate,
} from './worlds.ts'

export const getHealth = defineOperation({
  id: 'GET_health',
  api: 'services',
  path: '/health',
  tag: 'core',
  summary: 'Check that the API answers',
  description: 'Returns `ok` as plain text. `/readyz` of the site reports whether its dependencies work.',
  auth: 'none',
  request: {},
  responses: { 200: { description: 'ok', contentType: 'text/plain' } },
  handler: async () => ({ body: 'ok' }),
})

/** Operations beyond the specification, for programs with a bearer token; the catch-all route serves them. */
export const servicesAdditions: readonly Operation[] = [
  postPublicationPreparation.services,
  postPublicationBatch.services,
  getPublications.services,
  postWorldImport.services,
  getWorldBundle,
  ...features.flatMap(({ operations = [] }) => operations.filter(({ api }) => api === 'services')),
]

/** Every documented operation of the services API, in the order of the reference page. */
export const servicesOperations: readonly Operation[] = [
  getHealth,
  postChallenge,
  postVerify,
  getMe,
  postLogout,
  getUsers,
  getUser,
  patchUser,
  deleteUserAccount,
  getFollowing,
  getFollowers,
  postFollow,
  postUnfollow,
  getWorlds,
  getWorld,
  postWorldValidate,
  postWorldUpload,
  patchWorld,
  deleteWorldById,
  getWorldAsset,
  headWorldAsset,
  getSdkModule,
  ...servicesAdditions,
]

/** The OpenAPI document, which does not describe itself. */
export const getServicesDocument = documentOperation('services', () => servicesDocument(servicesOperations))
