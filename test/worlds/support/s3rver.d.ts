declare module '@20minutes/s3rver' {
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      configureBuckets: readonly { name: string; configs: readonly string[] }[]
    })
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
    readonly store: {
      listObjects(
        bucket: string,
        options: { maxKeys: number },
      ): Promise<{ objects: readonly { key: string }[] }>
    }
  }
}
