"""A convolutional classifier on tinygrad's layers: batch norms, a residual block, pooling."""

from tinygrad import Tensor, nn


class Classifier:
    """Pictures (n, 3, side, side) to logits (n, 10). Batch norms use the batch while training."""

    def __init__(self) -> None:
        self.conv1, self.norm1 = nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm(8)
        self.conv2, self.norm2 = nn.Conv2d(8, 16, 3, stride=2, padding=1, bias=False), nn.BatchNorm(16)
        self.conv3, self.norm3 = nn.Conv2d(16, 16, 3, padding=1, bias=False), nn.BatchNorm(16)
        self.head = nn.Linear(16, 10)

    def __call__(self, x: Tensor) -> Tensor:
        x = self.norm1(self.conv1(x)).relu().max_pool2d(2)
        x = self.norm2(self.conv2(x)).relu()
        x = (x + self.norm3(self.conv3(x))).relu()
        return self.head(x.mean((2, 3)))
