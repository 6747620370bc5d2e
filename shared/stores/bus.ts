/** News between the processes of one installation, its own subscribers included. At most once, within one second; not stored. */
export interface Bus {
  publish(topic: string, message: string): Promise<void>;
  /** A subscriber that throws is logged and does not stop the others. The answer ends the subscription. */
  subscribe(topic: string, receive: (message: string) => void): () => void;
  close(): Promise<void>;
}
