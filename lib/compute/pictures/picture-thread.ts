import type { PoolTask } from '../threads/task.ts'
import { onThread } from '../threads/thread-log.ts'
import { drawPicture } from './draw.ts'
import type { PictureScene } from './scene.ts'

export interface PictureTask extends PoolTask {
  readonly scene: PictureScene
}

/** Entry of a pool thread. */
export default function draw(task: PictureTask): Promise<Uint8Array> {
  return onThread('picture', task, () => drawPicture(task.scene))
}
