import type { Operation } from '../../http/operation.ts'
import { getFollowers, getFollowing, postFollow, postUnfollow } from './follows.ts'
import { getHealth } from './health.ts'
import { getSdkModule } from './sdk.ts'
import { postChallenge, postVerify } from './sign-in.ts'
import { deleteUserAccount, getMe, getUser, getUsers, patchUser, postLogout } from './users.ts'
import { getWorldAsset, headWorldAsset } from './world-assets.ts'
import {
  deleteWorldById,
  getWorld,
  getWorlds,
  patchWorld,
  postWorldUpload,
  postWorldValidate,
} from './worlds.ts'

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
]
